const byteOrderMark = Buffer.from('\ufeff');

/** The bytes of a byte order mark at a place; 0 if there is none. */
export function markLength(bytes: Buffer, from = 0, to = bytes.length): number {
  const { length } = byteOrderMark;
  return bytes.subarray(from, Math.min(to, from + length)).equals(byteOrderMark) ? length : 0;
}
