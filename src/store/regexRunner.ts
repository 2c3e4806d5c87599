import type { RegexTerm } from '../query/language';
import type { TextBatch } from './page';
import { quietTimer } from '../time/timers';

/** Time limit for one page of texts, in milliseconds. */
const defaultLimit = 500;
/** Time limit for the start of a worker, in milliseconds. */
const startLimit = 10_000;
/** An idle worker is terminated after this time, in milliseconds. */
const idleLimit = 10_000;

/** Runs a user's regular expression without blocking. */
export interface RegexRunner {
  /**
   * Resolves with the positions of the texts that match, ascending.
   * @throws RegexTooSlow
   */
  matches(source: string, ignoresCase: boolean, batch: TextBatch): Promise<readonly number[]>;
}

/**
 * The texts that match an expression.
 * @throws RegexTooSlow
 */
export async function matchingTexts(
  runner: RegexRunner,
  { source, ignoresCase }: RegexTerm,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const all = texts.map((text) => Buffer.from(text));
  let end = 0;
  const ends = Uint32Array.from(all, ({ length }) => (end += length));
  const bytes = new Uint8Array(end);
  for (const [n, one] of all.entries()) bytes.set(one, (ends[n] ?? 0) - one.length);
  const found = await runner.matches(source, ignoresCase, { bytes, ends });
  return new Set(found.flatMap((n) => texts[n] ?? []));
}

/** The expression took too long and was stopped. */
export class RegexTooSlow extends Error {}

/** What a worker is asked. */
interface Request extends TextBatch {
  readonly id: number;
  readonly source: string;
  readonly flags: string;
}

/** What a worker says. Its first answer, with the ID 0, says that it is ready. */
export interface RegexAnswer {
  readonly id: number;
  readonly found?: readonly number[];
}

/** A thread that runs `regexProgram`. */
export interface RegexThread {
  post(request: Request, transfer: readonly ArrayBuffer[]): void;
  terminate(): void;
}

export interface ThreadEvents {
  readonly onAnswer: (answer: RegexAnswer) => void;
  readonly onEnd: (error: Error) => void;
}

/** Makes texts of a batch's bytes. Runs in a worker, like `answerRequests`. */
export type BatchReader = (bytes: Uint8Array) => (start: number, end: number) => string;

/** The source of a worker's program. @param port the expression for where it gets messages */
export function regexProgram(port: string, reader: BatchReader): string {
  return `(${answerRequests.toString()})(${port}, ${reader.toString()})`;
}

/** Runs in a worker, so it uses nothing but its parameters. It has no named functions, because the loader of the tests adds a helper for them. */
function answerRequests(
  port: { onmessage: (event: { readonly data: Request }) => void; postMessage(answer: RegexAnswer): void },
  reader: BatchReader,
): void {
  let expression: RegExp, key: string;
  port.onmessage = ({ data: { id, source, flags, bytes, ends } }) => {
    if (key !== flags + source) expression = new RegExp(source, flags);
    key = flags + source;
    const textOf = reader(bytes);
    const found: number[] = [];
    let start = 0;
    ends.forEach((end, n) => {
      if (expression.test(textOf(start, end))) found.push(n);
      start = end;
    });
    port.postMessage({ id, found });
  };
  port.postMessage({ id: 0 });
}

interface Waiting {
  readonly id: number;
  resolve(answer: RegexAnswer): void;
  reject(error: Error): void;
}

/** Runs expressions in a thread, which is started on first use and terminated if an expression takes too long. */
export class RegexThreads implements RegexRunner {
  private thread: RegexThread | undefined;
  private waiting: Waiting | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private lastId = 0;
  private idle: NodeJS.Timeout | undefined;
  private isDisposed = false;

  /** @param limit for a batch, in milliseconds */
  constructor(
    private readonly start: (events: ThreadEvents) => RegexThread,
    private readonly limit = defaultLimit,
  ) {}

  matches(source: string, ignoresCase: boolean, batch: TextBatch): Promise<readonly number[]> {
    // One at a time: a batch in the queue must not use up its time limit.
    const answer = this.last.then(() => this.ask(source, ignoresCase, batch));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  dispose(): void {
    this.isDisposed = true;
    this.end();
  }

  private async ask(source: string, ignoresCase: boolean, { bytes, ends }: TextBatch): Promise<readonly number[]> {
    if (this.isDisposed) throw new RegexTooSlow('Stopped.');
    clearTimeout(this.idle);
    try {
      const thread = this.thread ?? (await this.started());
      const id = ++this.lastId;
      const answer = this.answerTo(id, this.limit);
      const asked = { id, source, flags: ignoresCase ? 'i' : '', bytes, ends };
      thread.post(asked, [bytes.buffer as ArrayBuffer, ends.buffer as ArrayBuffer]);
      return (await answer).found ?? [];
    } catch (error) {
      this.end();
      throw error;
    } finally {
      this.idle = quietTimer(() => this.end(), idleLimit);
    }
  }

  /** Settles when a thread is ready, so that its start doesn't count against the expression. */
  private async started(): Promise<RegexThread> {
    const thread = this.start({
      onAnswer: (answer) => {
        if (this.thread === thread && this.waiting?.id === answer.id) this.waiting.resolve(answer);
      },
      onEnd: (error) => {
        if (this.thread !== thread) return;
        this.thread = undefined; // The next expression starts another.
        this.waiting?.reject(error);
      },
    });
    this.thread = thread;
    await this.answerTo(0, startLimit);
    return thread;
  }

  private end(): void {
    clearTimeout(this.idle);
    this.waiting?.reject(new RegexTooSlow('Stopped.'));
    this.thread?.terminate();
    this.thread = undefined;
  }

  private async answerTo(id: number, limit: number): Promise<RegexAnswer> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.waiting = { id, resolve, reject };
        const tooSlow = new RegexTooSlow('The regular expression is too slow and was stopped.');
        timer = setTimeout(() => reject(tooSlow), limit);
      });
    } finally {
      clearTimeout(timer);
      this.waiting = undefined;
    }
  }
}
