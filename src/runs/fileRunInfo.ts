import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { JournalSet } from '../wire/journalFolder';
import type { JournalPeek } from '../wire/journalPeek';
import { peekJournal } from '../wire/journalPeek';
import { isBeingWritten, writerOf } from '../wire/processAlive';
import { Ending } from './ending';
import type { FileOrigin, FileRunInfo } from './fileRun';

/**
 * Looks at a file's first and last lines.
 * @throws where it cannot be read
 */
export async function fileRunInfo(set: JournalSet, origin: FileOrigin): Promise<FileRunInfo> {
  const { paths, size, modifiedAt } = set;
  const [first = '', last = first] = [paths[0], paths.at(-1)];
  const peek = await peekJournal(first);
  const { header } = peek;
  const termination = endingOf(last === first ? peek.last : (await peekJournal(last)).last);
  const startedAt = Date.parse(header?.startedAt ?? '');
  const writer = header && (await isBeingWritten(header, { path: last, modifiedAt })) ? writerOf(header) : undefined;
  return {
    id: createHash('sha256').update(first).digest('hex').slice(0, 16),
    origin,
    name: header?.agent || basename(first),
    protocol: header?.protocol || (await protocolOf(peek)),
    startedAt: Number.isNaN(startedAt) ? (peek.last[0]?.t ?? modifiedAt) : startedAt,
    modifiedAt,
    command: header?.command ?? [],
    cwd: header?.cwd ?? '',
    paths,
    size,
    isRedacted: header?.redacted ?? false,
    ...(termination && { termination }),
    ...(header && { header }),
    ...(writer && { writer: writer.pid }),
  };
}

async function protocolOf({ first }: JournalPeek): Promise<string> {
  const { recognise } = await import('../protocols/recognise');
  const found = recognise(first);
  switch (found.type) {
    case 'journal':
    case 'transcript':
      return found.protocol ?? 'acp';
    case 'stream-json':
      return 'stream-json';
    case 'log':
    case 'text':
      return 'log';
  }
}

function endingOf(events: JournalPeek['last']): FileRunInfo['termination'] {
  const ending = new Ending();
  for (const event of events) ending.accept(event);
  return ending.termination();
}
