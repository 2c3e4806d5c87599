import { Worker } from 'node:worker_threads';
import type { RegexTerm } from '../../log/query/language';
import type { TextBatch } from '../../log/store/page';

/** Time limit for one page of texts, in milliseconds. */
const defaultLimit = 500;
/** An idle worker is terminated after this time, in milliseconds. */
const idleLimit = 10_000;

/** The worker's program. A string, because a separate file would have to be located in every kind of build. */
const program = `
const { parentPort } = require('node:worker_threads');
let expression, key;
parentPort.on('message', ({ id, source, flags, bytes, ends }) => {
  if (key !== flags + source) expression = new RegExp(source, flags);
  key = flags + source;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = [];
  let start = 0;
  for (let n = 0; n < ends.length; n++) {
    if (expression.test(buffer.toString('utf8', start, ends[n]))) found.push(n);
    start = ends[n];
  }
  parentPort.postMessage({ id, found });
});
parentPort.postMessage({ id: 0 });
`;

/** Runs a user's regular expression without blocking the extension host. */
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

interface Answer {
  readonly id: number;
  readonly found?: readonly number[];
}

/** Runs expressions in a worker thread, which is started on first use and terminated if an expression takes too long. */
export class RegexWorker implements RegexRunner {
  private worker: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private lastId = 0;
  private idle: NodeJS.Timeout | undefined;
  private isDisposed = false;

  /** @param limit for a batch, in milliseconds */
  constructor(private readonly limit = defaultLimit) {}

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
    const worker = await (this.worker ??= started());
    const id = ++this.lastId;
    try {
      const asked = { id, source, flags: ignoresCase ? 'i' : '', bytes, ends };
      worker.postMessage(asked, [bytes.buffer as ArrayBuffer, ends.buffer as ArrayBuffer]);
      return (await answerOf(worker, id, this.limit)).found ?? [];
    } catch (error) {
      this.end();
      throw error;
    } finally {
      this.idle = setTimeout(() => this.end(), idleLimit);
      this.idle.unref();
    }
  }

  private end(): void {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    void worker?.then(
      (one) => one.terminate(),
      () => undefined,
    );
  }
}

/** Resolves when the worker is ready, so that its start doesn't count against the expression. */
async function started(): Promise<Worker> {
  const worker = new Worker(program, { eval: true });
  worker.unref();
  worker.on('error', () => undefined);
  await answerOf(worker, 0, 10_000);
  return worker;
}

function answerOf(worker: Worker, id: number, limit: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    const onMessage = (answer: Answer): void => {
      if (answer.id === id) finish(() => resolve(answer));
    };
    const onError = (error: Error): void => finish(() => reject(error));
    const onExit = (): void => finish(() => reject(new RegexTooSlow('Stopped.')));
    const timer = setTimeout(
      () => finish(() => reject(new RegexTooSlow('The regular expression is too slow and was stopped.'))),
      limit,
    );
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}
