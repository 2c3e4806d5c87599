/** The most bytes of UTF-8 that a text can take: three for each UTF-16 unit. */
export function utf8Room(text: string): number {
  return text.length * 3;
}
