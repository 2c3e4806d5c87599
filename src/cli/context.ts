import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { OwnPatterns } from '../redact/ownPatterns';
import type { Redactor, RedactorOptions } from '../redact/redactor';
import type { Redaction } from '../redact/redactorFor';
import { redactorFor } from '../redact/redactorFor';
import { withEscapes } from '../text/text';
import { readTapPatterns, tapPatternsFile } from '../live/config/tapPatterns';
import { readTapPrices, tapPricesFile } from '../live/config/tapPrices';
import type { PriceList } from '../work/usage/prices';
import { messageOf } from '../text/humanError';
import { redactedLine } from '../runLog/reading/redactEvent';
import { TimeLimit } from '../machine/timeLimit';
import { tapFolder } from '../wire/journal/tapFolder';
import { UsageError } from './usageError';

/** The user's computer. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The path of the running program. */
  readonly program?: string | undefined;
}

/** A line with its beginning, which may be coloured. */
export interface Entry {
  /** Composed by this program; printed as it is. */
  readonly lead: string;
  /** Redacted. Its lines are printed one by one. */
  readonly text: string;
}

export interface CliStreams {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
}

/**
 * What a command of the terminal gets: the only way to the streams, and to redactors, which always include the user's patterns. What it
 * prints is one line at a time, so that a name in a file can't forge lines, move the cursor or hide text.
 */
export class Cli {
  private waiting: string[] = [];
  private patterns: OwnPatterns | undefined;
  private shownBy: Redactor | undefined;
  private code = 0;
  private isGone = false;

  constructor(
    readonly machine: Machine,
    private readonly streams: CliStreams,
  ) {}

  /** Of this process. */
  static here(): Cli {
    return new Cli(thisMachine(), process);
  }

  get stdin(): Readable {
    return this.streams.stdin;
  }

  /** Whether stdout is a terminal. */
  get isTerminal(): boolean {
    return this.streams.stdout.isTTY === true;
  }

  /** Whether stdout can't be written any more: it is full, or its reader has closed it. */
  get hasGone(): boolean {
    return this.isGone;
  }

  /** The worst code so far. */
  get exitCode(): number {
    return this.code;
  }

  /**
   * How runs are redacted. One for all runs, so that a pattern that takes too long is dropped once.
   * @throws UsageError if the user's patterns can't be read: showing more than the user wants is worse than nothing
   */
  get redaction(): Redaction {
    this.patterns ??= this.readPatterns();
    return { patterns: this.patterns };
  }

  /**
   * What models cost.
   * @throws UsageError if the user's prices can't be read
   */
  get prices(): PriceList {
    const path = tapPricesFile(tapFolder(this.machine));
    try {
      return readTapPrices(path);
    } catch (error) {
      throw new UsageError(`your prices can't be read: ${path}: ${messageOf(error)}. Mend or delete it.`);
    }
  }

  /** @throws UsageError if the user's patterns can't be read */
  redactor(known?: Omit<RedactorOptions, 'patterns'>): Redactor {
    return redactorFor(this.redaction, known);
  }

  /** Prints a line, which is redacted first. */
  readonly print = (line: string): void => {
    this.waiting.push(onOneLine(this.redacted(line)));
  };

  readonly printEntry = ({ lead, text }: Entry): void => {
    const [first = '', ...rest] = text.split('\n').map(onOneLine);
    this.waiting.push(lead + first, ...rest);
  };

  /** Writes what isn't lines for people, such as HTML or messages of a protocol, as it is. It must be redacted. */
  write(text: string): void {
    if (!this.isGone) this.stdout.write(text);
  }

  /** Writes a line of a recorded agent to stderr as it is. It must be redacted. */
  writeError(line: string): void {
    this.stderr.write(`${line}\n`);
  }

  /** Settles when the lines are written, or can't be. */
  async flush(): Promise<void> {
    if (this.isGone) return;
    const text = this.waiting.map((line) => `${line}\n`).join('');
    this.waiting = [];
    await new Promise<void>((resolve) => {
      this.stdout.write(text, (error) => {
        if (error) this.lose(error);
        resolve();
      });
    });
  }

  /** Prints a message to stderr. */
  warn(message: string): void {
    this.stderr.write(`agent-logs: ${this.shown(message)}\n`);
  }

  /** Prints an error to stderr, and sets the exit code. */
  fail(message: string, code = 1): void {
    this.warn(message);
    this.exitWith(code);
  }

  /** A worse code stays. */
  exitWith(code: number): void {
    this.code = Math.max(this.code, code);
  }

  /** A text as it may be shown: redacted, on one line. */
  shown(text: string): string {
    return onOneLine(this.redacted(text));
  }

  /** Not before it is needed: the tap has a stream of its own for a pipe. */
  private get stdout(): Writable {
    const { stdout } = this.streams;
    if (!stdout.listeners('error').includes(this.lose)) stdout.on('error', this.lose);
    return stdout;
  }

  private get stderr(): Writable {
    const { stderr } = this.streams;
    if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
    return stderr;
  }

  private redacted(text: string): string {
    return redactedLine(text, (this.shownBy ??= redactorFor({ patterns: this.patternsToShow() })));
  }

  /** That patterns can't be read has to be shown without them. */
  private patternsToShow(): OwnPatterns {
    try {
      return this.redaction.patterns;
    } catch {
      return new OwnPatterns([]);
    }
  }

  private readPatterns(): OwnPatterns {
    const path = tapPatternsFile(tapFolder(this.machine));
    try {
      return new OwnPatterns(readTapPatterns(path), {
        limit: new TimeLimit().run,
        onTimeout: ({ source }) => this.warn(`the redaction pattern ${source} took too long and isn't used any more.`),
      });
    } catch (error) {
      throw new UsageError(`your redaction patterns can't be read: ${path}: ${messageOf(error)}. Mend or delete it.`);
    }
  }

  private readonly lose = (error: NodeJS.ErrnoException): void => {
    if (this.isGone) return;
    this.isGone = true;
    if (error.code === 'EPIPE' || error.code === 'EOF') return;
    this.fail(`standard output cannot be written: ${error.message}`);
  };
}

function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), env: process.env, program: process.argv[1] };
}

function ignore(): void {
  // Nothing can be said any more.
}

/** With line breaks and invisible characters as escapes, as in JSON. */
function onOneLine(text: string): string {
  return withEscapes(text).replaceAll('\n', '\\n');
}
