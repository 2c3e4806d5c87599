import { stat } from 'node:fs/promises';
import type { Redactor } from '../../log/redact/redactor';
import type { Retention } from '../../wire/journal/journalFolder';
import { JournalFolder } from '../../wire/journal/journalFolder';
import { JournalWriter } from '../../wire/journal/journalWriter';
import { lastPart, unusedNext } from '../../wire/journal/nextPart';
import { beatSeconds } from '../../wire/processAlive';
import { firstHeader } from '../../wire/journal/journalPeek';
import { redactWords } from '../../runs/reading/redactEvent';
import type { FromThread, JournalPlace, JournalSpec } from './threadMessage';

/** How much is kept. */
export interface Limits {
  /** In bytes; then the journal goes on in another file. */
  readonly maxFileSize: number;
  /** Of a folder's journals: this one's own older files are no exception. */
  readonly retention: Retention;
}

const usual: Limits = {
  maxFileSize: 64 * 1024 * 1024,
  retention: { maxTotalSize: 1024 * 1024 * 1024, maxAge: 30 * 24 * 3600 * 1000 },
};

/**
 * @throws if the file has something else in it, or writing could block for ever, as to a pipe without a reader. Another journal is
 * appended to, as one of several runs
 */
export async function prepare(place: JournalPlace): Promise<void> {
  if (place.type === 'folder') return;
  const known = await stat(place.path).catch(() => undefined);
  if (known && !known.isFile() && !known.isCharacterDevice()) throw new Error(`${place.path} is not a file`);
  if (!known?.isFile() || known.size === 0 || (await firstHeader(place.path))) return;
  throw new Error(`${place.path} has something else in it`);
}

/** Writes a tap's journal to its place, and reports its problems. */
export async function journalWriter(
  spec: JournalSpec,
  protocol: string,
  redactor: Redactor,
  tell: (message: FromThread) => void,
  { maxFileSize, retention }: Limits = usual,
): Promise<JournalWriter> {
  const { agent, command, cwd, pid, level, startedAt, place } = spec;
  const writer: JournalWriter = new JournalWriter({
    fileOf: await filesOf(spec),
    header: {
      journal: 1,
      agent,
      protocol,
      command: redactWords(command, redactor),
      cwd,
      startedAt: new Date(startedAt).toISOString(),
      tap: { pid, beat: beatSeconds, ...(level !== undefined && { level }) },
    },
    startedAt,
    maxFileSize,
    onPart: () => {
      if (place.type === 'file') return; // the folder's other files aren't ours
      void new JournalFolder(place.path).prune(retention, Date.now(), new Set([writer.path ?? '']));
    },
    onProblem: (error) => tell({ type: 'problem', message: error.message }),
  });
  return writer;
}

async function filesOf({ agent, startedAt, place }: JournalSpec): Promise<(part: number) => string> {
  if (place.type === 'folder') return new JournalFolder(place.path).fileOf(agent, place.runId, startedAt);
  // Behind all of a journal that is there, so that its runs are read in their order.
  return filesFrom(await lastPart(place.path));
}

/** The files of a journal that begins in this one: each gets a free name when it is needed. */
function filesFrom(first: string): (part: number) => string {
  const paths = [first];
  return (part) => {
    while (paths.length < part) paths.push(unusedNext(paths.at(-1) ?? first, paths.length));
    return paths[part - 1] ?? first;
  };
}
