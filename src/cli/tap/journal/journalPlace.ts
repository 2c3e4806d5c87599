import type { RunProtocol } from '../../../wire/protocol';
import { stat } from 'node:fs/promises';
import type { Redactor } from '../../../redact/redactor';
import type { Retention } from '../../../wire/journal/journalFolder';
import { JournalFolder } from '../../../wire/journal/journalFolder';
import { JournalWriter } from '../../../wire/journal/journalWriter';
import { lastPart, unusedNext } from '../../../wire/journal/nextPart';
import { beatSeconds } from '../../../wire/journal/beingWritten';
import { firstHeader } from '../../../wire/journal/journalPeek';
import { redactedLine, redactWords } from '../../../runLog/reading/redactEvent';
import type { FromThread, JournalPlace, JournalSpec } from './threadMessage';

/** Limits on the size of journals. */
export interface Limits {
  /** In bytes. A larger journal continues in another file. */
  readonly maxFileSize: number;
  /** For all journals in the folder, including older files of this one. */
  readonly retention: Retention;
}

const usual: Limits = {
  maxFileSize: 64 * 1024 * 1024,
  retention: { maxTotalSize: 1024 * 1024 * 1024, maxAge: 30 * 24 * 3600 * 1000 },
};

/**
 * Checks that a journal can be written there. An existing journal is appended to.
 * @throws if the file contains something else, or writing could block forever, as with a pipe that isn't read
 */
export async function prepare(place: JournalPlace): Promise<void> {
  if (place.type === 'folder') return;
  const known = await stat(place.path).catch(() => undefined);
  if (known && !known.isFile() && !known.isCharacterDevice()) throw new Error(`${place.path} is not a file`);
  if (!known?.isFile() || known.size === 0 || (await firstHeader(place.path))) return;
  throw new Error(`${place.path} has something else in it`);
}

/** Creates the writer of a tap's journal. */
export async function journalWriter(
  spec: JournalSpec,
  protocol: RunProtocol | '',
  redactor: Redactor,
  report: (message: FromThread) => void,
  { maxFileSize, retention }: Limits = usual,
): Promise<JournalWriter> {
  const { command, pid, level, startedAt, place } = spec;
  const agent = redactedLine(spec.agent, redactor);
  const writer: JournalWriter = new JournalWriter({
    fileOf: await filesOf({ ...spec, agent }),
    header: {
      journal: 1,
      agent,
      protocol,
      command: redactWords(command, redactor),
      cwd: redactedLine(spec.cwd, redactor),
      startedAt: new Date(startedAt).toISOString(),
      tap: { pid, beat: beatSeconds, ...(level !== undefined && { level }) },
    },
    startedAt,
    maxFileSize,
    onPart: () => {
      if (place.type === 'file') return; // The folder's other files aren't ours.
      void new JournalFolder(place.path).prune(retention, Date.now(), new Set([writer.path ?? '']));
    },
    onProblem: (error) => report({ type: 'problem', message: error.message }),
  });
  return writer;
}

async function filesOf({ agent, startedAt, place }: JournalSpec): Promise<(part: number) => string> {
  if (place.type === 'folder') return new JournalFolder(place.path).fileOf(agent, place.runId, startedAt);
  // After the last part of an existing journal, so that its runs are read in order.
  return filesFrom(await lastPart(place.path));
}

/** The files of a journal that starts with this one. Names are chosen when they are needed. */
function filesFrom(first: string): (part: number) => string {
  const paths = [first];
  return (part) => {
    while (paths.length < part) paths.push(unusedNext(paths.at(-1) ?? first, paths.length));
    return paths[part - 1] ?? first;
  };
}
