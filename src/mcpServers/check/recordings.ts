import type { JournalSet } from '../../wire/journal/journalFolder';
import type { JournalHeader } from '../../wire/journal/journalLine';
import { peekJournal } from '../../wire/journal/journalPeek';
import { isBeingWritten } from '../../wire/journal/beingWritten';
import { readInto } from '../../past/readInto';
import type { LineRedactor } from '../../runLog/reading/redactEvent';
import { redactedLine, redactWords } from '../../runLog/reading/redactEvent';
import { WorkFolders } from '../../past/saved/list/workFolders';
import type { CheckTarget } from './checkTarget';
import { RecordedServer } from './recordedServer';

/** The newest journals that are looked at. */
const maxJournals = 200;
/** The newest runs of one server that are read. */
const maxRuns = 20;
/** What is read of one run, and of all together, in bytes. */
const maxRunBytes = 4 * 1024 * 1024;
const maxBytes = 32 * 1024 * 1024;

/** The run of a server in a journal. */
export interface Recording {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether the server is still running. */
  readonly isRunning: boolean;
  /** Reads it once. */
  read(): Promise<RecordedServer>;
}

export interface RecordingOptions {
  /** The journals of taps and of this extension, newest first. */
  readonly journals: readonly JournalSet[];
  readonly redactor: LineRedactor;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
}

interface Found {
  readonly header: JournalHeader;
  readonly words: string;
  readonly recording: Recording;
}

/** The recorded runs of MCP servers that are to be checked. */
export class Recordings {
  private constructor(
    private readonly found: readonly Found[],
    private readonly options: RecordingOptions,
  ) {}

  /** Looks at the first and last lines of journals. */
  static async find(options: RecordingOptions): Promise<Recordings> {
    const reader = new JournalTexts(options);
    const found: Found[] = [];
    for (const set of options.journals.slice(0, maxJournals)) {
      if (options.signal.aborted) break;
      // It may just have been deleted.
      const one = await foundIn(set, reader, options).catch(() => undefined);
      if (one) found.push(one);
    }
    return new Recordings(found, options);
  }

  /** Those of a server, newest first. */
  of(target: CheckTarget): readonly Recording[] {
    const words = this.wordsOf(target);
    return this.found
      .filter((one) => this.isOf(target, one, words))
      .slice(0, maxRuns)
      .map(({ recording }) => recording);
  }

  /** A command may run under several names, and a name in several folders. */
  private isOf(target: CheckTarget, { header, words }: Found, own: string): boolean {
    const { name, start, cwd, folder, tap } = target;
    const isNamed = [name, tap?.name].some((own) => own !== undefined && this.isSame(header.agent, own));
    const folders = folder === undefined ? undefined : this.foldersOf(folder);
    if (folders?.has(this.redacted(header.cwd)) === false) return false;
    if (target.asksUser) return isNamed && start.type === 'process' && header.command[0] === start.command;
    return words === own && (isNamed || this.isSame(header.cwd, cwd));
  }

  private foldersOf(folder: string): WorkFolders {
    return new WorkFolders([folder], this.options.platform, this.options.redactor);
  }

  private isSame(recorded: string, own: string): boolean {
    return this.redacted(recorded) === this.redacted(own);
  }

  /** As in journals, of which only older ones and those of other programs aren't redacted. */
  private redacted(text: string): string {
    return redactedLine(text, this.options.redactor);
  }

  private wordsOf({ start }: CheckTarget): string {
    return textOf(start.type === 'http' ? [start.url] : [start.command, ...start.args], this.options.redactor);
  }
}

async function foundIn(
  set: JournalSet,
  texts: JournalTexts,
  { redactor }: RecordingOptions,
): Promise<Found | undefined> {
  const [first = ''] = set.paths;
  const last = set.paths.at(-1) ?? first;
  const { header, last: end } = await peekJournal(first);
  if (header?.protocol !== 'mcp') return undefined;
  const events = last === first ? end : (await peekJournal(last)).last;
  const isOver = events.some((event) => event.dir === 'ev' && (event.ev === 'exit' || event.ev === 'end'));
  const isRunning = !isOver && (await isBeingWritten(header, { path: last, modifiedAt: set.modifiedAt }));
  let reading: Promise<RecordedServer> | undefined;
  return {
    header,
    words: textOf(header.command, redactor),
    recording: {
      startedAt: Date.parse(header.startedAt) || set.modifiedAt,
      isRunning,
      read: () => (reading ??= texts.read(set)),
    },
  };
}

/** As in journals, which are redacted. */
function textOf(words: readonly string[], redactor: LineRedactor): string {
  return JSON.stringify(redactWords(words, redactor));
}

/** Reads journals one after the other, up to a number of bytes. What is shown of them is redacted with the report. */
class JournalTexts {
  private queue: Promise<unknown> = Promise.resolve();
  private left = maxBytes;

  constructor(private readonly options: Pick<RecordingOptions, 'signal'>) {}

  read(set: JournalSet): Promise<RecordedServer> {
    const reading = this.queue.then(() => this.readNext(set));
    this.queue = reading.catch(() => undefined);
    return reading;
  }

  private async readNext({ paths, modifiedAt }: JournalSet): Promise<RecordedServer> {
    const { signal } = this.options;
    const server = new RecordedServer();
    const enough = new AbortController();
    const max = Math.min(maxRunBytes, this.left);
    let read = 0;
    if (max > 0) {
      await readInto({ paths, modifiedAt }, server, {
        protocol: 'mcp',
        redactor: undefined,
        isJudged: false,
        onSlice: ({ bytesRead }) => {
          read = bytesRead;
          if (bytesRead >= max) enough.abort();
        },
        signal: AbortSignal.any([signal, enough.signal]),
      });
    }
    this.left -= read;
    return server;
  }
}
