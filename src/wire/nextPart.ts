import { format, parse } from 'node:path';

/** The file in which a journal goes on after this one (JournalFolder has `NAME.ndjson`, `NAME 2.ndjson`, …). */
export function nextPart(path: string, part: number): string {
  const { dir, name, ext } = parse(path);
  const own = ` ${part}`;
  const stem = part > 1 && name.endsWith(own) ? name.slice(0, -own.length) : name;
  return format({ dir, name: `${stem} ${part + 1}`, ext });
}
