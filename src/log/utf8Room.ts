/** So many bytes of UTF-8 a text takes at the most: three for each UTF-16 unit. */
export function utf8Room(text: string): number {
  return text.length * 3;
}
