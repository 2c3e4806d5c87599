import type { RunProtocol } from '../../wire/protocol';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Redaction } from '../../redact/redactorFor';
import type { Termination } from '../../wire/termination';
import type { JournalSet } from '../../wire/journal/journalFolder';
import type { JournalHeader } from '../../wire/journal/journalLine';
import type { JournalPeek } from '../../wire/journal/journalPeek';
import { peekJournal } from '../../wire/journal/journalPeek';
import { isBeingWritten, writerOf } from '../../wire/journal/beingWritten';
import type { LineRedactor } from '../../runLog/reading/redactEvent';
import { redactedLine, redactEvent, redactWords } from '../../runLog/reading/redactEvent';
import { TerminationTracker } from '../../runLog/reading/terminationTracker';
import type { SaverId } from '../../agents/agents';
import type { SavedOutcome } from '../../agents/savedDetails';
import type { KeptCopy } from '../saved/kept/keptCopy';
import type { SavedMember } from '../saved/savedMembers';

/**
 * Where a run's file comes from: our journals, a file the user opened, the tap, a watched folder, or an agent that saves its sessions. All but past
 * runs are followed while they grow.
 */
export type FileOrigin = 'past' | 'opened' | 'tapped' | 'watched' | 'saved';

/** Where the lines of a saved session come from. */
export interface SavedSource {
  readonly agent: SaverId;
  /** Display name. */
  readonly agentName: string;
  readonly sessionId: string;
  /** The path of its file, redacted. */
  readonly shownPath: string;
  /** True if its agent may continue it. */
  readonly isRunning: boolean;
  /** How its last turn ended, and the model that it used last, as far as known before it is read. */
  readonly outcome?: SavedOutcome;
  readonly model?: string;
  /** Our copy of it. */
  readonly kept?: KeptCopy;
  /** The session's own lines first, then those of its subagents, which may be added later. */
  readonly members: () => Promise<readonly SavedMember[]>;
}

/** What is known about a file's run before it's read. */
export interface FileRunInfo {
  readonly id: string;
  readonly origin: FileOrigin;
  readonly name: string;
  /** As in `agentLogs.agents`; `log` for the log of any program. */
  readonly protocol: RunProtocol;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Last write, in milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly command: readonly string[];
  readonly cwd: string;
  /** Its files, oldest first; a journal may have several. */
  readonly paths: readonly string[];
  /** Total size of the files, in bytes. */
  readonly size: number;
  /** True if its header says that it was redacted when written. */
  readonly isRedacted: boolean;
  /** How it ended, if its last lines say so. */
  readonly termination?: Termination;
  /** A journal's first line. */
  readonly header?: JournalHeader;
  /** PID of the process that writes it, if known. */
  readonly writer?: number;
  readonly saved?: SavedSource;
  /** Where its lines come from, if they aren't those of its file, such as rows of a database. */
  readonly rows?: Pick<SavedSource, 'members' | 'isRunning'>;
}

export type SavedRunInfo = FileRunInfo & { readonly saved: SavedSource };

/**
 * Reads a file's first and last lines, which anyone may have written.
 * @param redactionFor the secrets to redact; nothing is redacted if it returns `undefined`
 * @throws if it can't be read
 */
export async function fileRunInfo(
  set: JournalSet,
  origin: FileOrigin,
  redactionFor: (info: Pick<FileRunInfo, 'origin' | 'isRedacted'>) => Redaction | undefined,
): Promise<FileRunInfo> {
  const { paths, size, modifiedAt } = set;
  const [first = '', last = first] = [paths[0], paths.at(-1)];
  const peek = await peekJournal(first);
  const { header } = peek;
  const isRedacted = header?.redacted ?? false;
  const redactor = await redactorOf(redactionFor({ origin, isRedacted }));
  const shown = (text = ''): string => redactedLine(text, redactor);
  const termination = endingOf(last === first ? peek.last : (await peekJournal(last)).last, redactor);
  const startedAt = Date.parse(header?.startedAt ?? '');
  const writer = header && (await isBeingWritten(header, { path: last, modifiedAt })) ? writerOf(header) : undefined;
  return {
    id: createHash('sha256').update(first).digest('hex').slice(0, 16),
    origin,
    name: shown(header?.agent || basename(first)),
    protocol: header?.protocol || (await protocolOf(peek)),
    startedAt: Number.isNaN(startedAt) ? (peek.last[0]?.t ?? modifiedAt) : startedAt,
    modifiedAt,
    command: redactWords(header?.command ?? [], redactor),
    cwd: shown(header?.cwd),
    paths,
    size,
    isRedacted,
    ...(termination && { termination }),
    ...(header && { header }),
    ...(writer && { writer: writer.pid }),
  };
}

async function protocolOf({ first }: JournalPeek): Promise<RunProtocol> {
  const { protocolOfFile, recognise } = await import('../../agents/reading/recognise');
  return protocolOfFile(recognise(first));
}

async function redactorOf(redaction: Redaction | undefined): Promise<LineRedactor | undefined> {
  if (!redaction) return undefined;
  const { redactorFor } = await import('../../redact/redactorFor');
  return redactorFor(redaction);
}

function endingOf(events: JournalPeek['last'], redactor: LineRedactor | undefined): FileRunInfo['termination'] {
  const tracker = new TerminationTracker();
  for (const event of events) if (event.dir === 'ev') tracker.accept(redactEvent(event, redactor));
  return tracker.isOver ? tracker.termination() : undefined;
}
