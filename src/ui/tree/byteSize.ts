const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size in bytes: `1.2 MB`. */
export function byteSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 || size >= 10 ? Math.round(size) : size.toFixed(1)} ${units[unit] ?? ''}`;
}
