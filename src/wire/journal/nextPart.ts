import { t, WordsError } from '../../log/translator';
import { existsSync } from 'node:fs';
import { format, parse } from 'node:path';
import type { JournalHeader } from './journalLine';
import { firstHeader, lastHeader } from './runHeaders';

/** How many names in between may be taken by other files. */
const maxTaken = 20;

/**
 * The file in which a journal goes on after this one: `NAME 2.ndjson` after `NAME.ndjson`, `NAME 3.ndjson` after that, and so on. Any file may
 * have such a name; its header decides. `undefined` if there is none, or none yet.
 * @param header the last in the file
 */
export async function nextPart(path: string, header: JournalHeader): Promise<string | undefined> {
  for (const next of namesAfter(path, header.part)) {
    try {
      const found = await firstHeader(next);
      if (found && isNext(found, header)) return next;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    }
  }
  return undefined;
}

/** The last of the files that a journal goes on in from this one. */
export async function lastPart(path: string): Promise<string> {
  const header = await lastHeader(path).catch(() => undefined);
  const next = header && (await nextPart(path, header));
  return next === undefined ? path : lastPart(next);
}

/**
 * A free name for the file in which a journal goes on after this one, where `nextPart` looks for it.
 * @param part the number of this one
 * @throws where all of them are taken
 */
export function unusedNext(path: string, part: number): string {
  const name = namesAfter(path, part).find((next) => !existsSync(next));
  if (name === undefined) throw new WordsError(t('the names after {0} are taken by other files', path));
  return name;
}

function isNext(next: JournalHeader, { agent, startedAt, part }: JournalHeader): boolean {
  return next.agent === agent && next.startedAt === startedAt && next.part === part + 1;
}

/** The first part has the name alone, whatever number that ends with. */
function namesAfter(path: string, part: number): readonly string[] {
  const { dir, name, ext } = parse(path);
  const [, stem = name, own = String(part)] = (part > 1 && /^(.+) (\d{1,9})$/.exec(name)) || [];
  return Array.from({ length: maxTaken }, (_, index) =>
    format({ dir, name: `${stem} ${Number(own) + 1 + index}`, ext }),
  );
}
