const byteOrderMark = '\ufeff';

/**
 * Some programs on Windows begin their output with a byte order mark, which belongs to no line and which JSON.parse refuses
 * (RFC 8259, section 8.1).
 */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}
