import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Termination } from '../../log/termination';
import type { JournalSet } from '../../wire/journal/journalFolder';
import type { JournalHeader } from '../../wire/journal/journalLine';
import type { JournalPeek } from '../../wire/journal/journalPeek';
import { peekJournal } from '../../wire/journal/journalPeek';
import { isBeingWritten, writerOf } from '../../wire/processAlive';
import { TerminationTracker } from '../reading/terminationTracker';
import type { SavedAgent } from '../../protocols/saved/savedFormat';
import type { SavedMember } from '../saved/savedMembers';

/**
 * Where a run's file comes from: the folder of our journals, the person who opened it, the tap, a folder that is watched, or an agent that saves
 * its sessions. What is not of the past is followed while it grows.
 */
export type FileOrigin = 'past' | 'opened' | 'tapped' | 'watched' | 'saved';

/** Where the lines of a session come from that an agent saved. */
export interface SavedSource {
  readonly agent: SavedAgent;
  /** The agent's own id. */
  readonly sessionId: string;
  /** Whether its agent may go on with it. */
  readonly isRunning: boolean;
  /** The session's own lines first, then those of its subagents: there may be more of them later. */
  readonly members: () => Promise<readonly SavedMember[]>;
}

/** What is known of a file's run before it is read. */
export interface FileRunInfo {
  readonly id: string;
  readonly origin: FileOrigin;
  readonly name: string;
  /** As in `agentLogs.agents`; `log` for the log of any program. */
  readonly protocol: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** When it was last written, likewise. */
  readonly modifiedAt: number;
  readonly command: readonly string[];
  readonly cwd: string;
  /** Its files, the oldest first: a journal may have several. */
  readonly paths: readonly string[];
  /** In bytes, of all of them. */
  readonly size: number;
  /** Whether its header says that secrets were taken out before it was written. */
  readonly isRedacted: boolean;
  /** How it ended, where its last lines tell. */
  readonly termination?: Termination;
  /** Of a journal. */
  readonly header?: JournalHeader;
  /** The process that writes it, if that is known. */
  readonly writer?: number;
  /** Of a saved session. */
  readonly saved?: SavedSource;
}

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
  const { recognise } = await import('../../protocols/recognise');
  const found = recognise(first);
  switch (found.type) {
    case 'journal':
    case 'transcript':
      return found.protocol ?? 'acp';
    case 'stream-json':
    case 'saved':
      return found.type;
    case 'log':
    case 'text':
      return 'log';
  }
}

function endingOf(events: JournalPeek['last']): FileRunInfo['termination'] {
  const tracker = new TerminationTracker();
  for (const event of events) tracker.accept(event);
  return tracker.isOver ? tracker.termination() : undefined;
}
