/**
 * The arguments for cmd.exe that run a batch file, to be handed over verbatim. The quoting is that of Rust's standard library since
 * CVE-2024-24576: everything stands in double quotes, so that it survives being read twice (by cmd.exe, and as `%*` by the batch file); a
 * quote is doubled, and what would expand variables is broken up by a variable's empty part.
 * @returns `undefined` where an argument cannot be handed over: cmd.exe ends a command at the end of a line
 */
export function batchCommandLine(file: string, args: readonly string[]): readonly string[] | undefined {
  if ([file, ...args].some((text) => /[\0\r\n]/.test(text)) || file.includes('"')) return undefined;
  const line = [file, ...args].map(quoted).join(' ');
  // Extensions on, for the empty part of a variable; delayed expansion off, for "!"; no AutoRun; the outermost quotes are cmd's to take off.
  return ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${line}"`];
}

function quoted(text: string): string {
  // Backslashes are only special before a quote (Microsoft, "Parsing C command-line arguments").
  const escaped = text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => {
    return slashes + slashes + (quote === '"' ? '""' : '');
  });
  return `"${escaped.replaceAll('%', '%%cd:~,%')}"`;
}
