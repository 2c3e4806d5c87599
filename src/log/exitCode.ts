/** Why Windows ended a process, by its exit code (MS-ERREF, section 2.3.1). */
const windowsReasons = new Map([
  [0xc0000005, 'access violation'],
  [0xc0000017, 'out of memory'],
  [0xc000001d, 'illegal instruction'],
  [0xc0000094, 'division by zero'],
  [0xc00000fd, 'stack overflow'],
  [0xc0000135, 'a DLL is missing'],
  [0xc0000139, 'a DLL has another version'],
  [0xc000013a, 'Ctrl+C'],
  [0xc0000142, 'a DLL failed to initialize'],
  [0xc0000374, 'heap corruption'],
  [0xc0000409, 'aborted'],
  [0xe0434352, 'unhandled .NET exception'],
  [0xe06d7363, 'unhandled C++ exception'],
]);

/** An exit code as people look for it: codes of Windows have 32 bits, and are negative numbers or known in hexadecimal. */
export function describeExitCode(code: number): string {
  const unsigned = code >>> 0;
  if (code >= 0 && code < 0x80000000) return String(code);
  if (unsigned >= 0xffff0000) return String(unsigned - 0x100000000);
  const reason = windowsReasons.get(unsigned);
  return `0x${unsigned.toString(16).toUpperCase()}${reason === undefined ? '' : ` (${reason})`}`;
}
