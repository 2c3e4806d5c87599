import { t, WordsError } from '../../text/translator';
import { existsSync } from 'node:fs';
import { format, parse } from 'node:path';
import type { JournalHeader } from './journalLine';
import { firstHeader, lastHeader } from './journalPeek';

/** How many names may be taken by other files. */
const maxTaken = 20;

/**
 * The file in which a journal continues after this one: `NAME 2.ndjson` after `NAME.ndjson`, then `NAME 3.ndjson`. The header decides, because
 * any file may have such a name. `undefined` if there is none yet.
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

/** The last file of the journal that this file is part of. */
export async function lastPart(path: string): Promise<string> {
  const header = await lastHeader(path).catch(() => undefined);
  const next = header && (await nextPart(path, header));
  return next === undefined ? path : lastPart(next);
}

/**
 * A free name for the file in which a journal continues after this one, as `nextPart` expects it.
 * @param part the number of this part
 * @throws if all names are taken
 */
export function unusedNext(path: string, part: number): string {
  const name = namesAfter(path, part).find((next) => !existsSync(next));
  if (name === undefined) throw new WordsError(t('the names after {0} are taken by other files', path));
  return name;
}

function isNext(next: JournalHeader, { agent, startedAt, part }: JournalHeader): boolean {
  return next.agent === agent && next.startedAt === startedAt && next.part === part + 1;
}

/** The name of the first part may end in a number, too. */
function namesAfter(path: string, part: number): readonly string[] {
  const { dir, name, ext } = parse(path);
  const [, stem = name, own = String(part)] = (part > 1 && /^(.+) (\d{1,9})$/.exec(name)) || [];
  return Array.from({ length: maxTaken }, (_, index) =>
    format({ dir, name: `${stem} ${Number(own) + 1 + index}`, ext }),
  );
}
