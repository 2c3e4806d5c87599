import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';

/** A JSON-RPC message, or any other JSON line. */
export interface RawMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How an agent's process ended. */
export interface RawExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Waiter {
  /** Notifies a waiter; returns `true` if it's done. */
  readonly look: () => boolean;
  readonly giveUp: (why: string) => void;
}

/**
 * An ACP client that only writes and reads lines. Nothing sleeps: expected messages are awaited, and if the
 * process exits first, the wait fails with its stderr.
 */
export class RawAcpClient {
  /** Every JSON object received, in order. */
  readonly messages: RawMessage[] = [];
  /** Received lines that aren't a JSON object, without line breaks. */
  readonly junk: string[] = [];
  stderr = '';
  /** Settles when the process has exited. */
  readonly exit: Promise<RawExit>;
  /** Settles when the process has exited and all its output was read. A child process can delay this. */
  readonly closed: Promise<void>;

  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiters = new Set<Waiter>();
  /** Why no more messages can come. */
  private gone: string | undefined;
  private rest = '';
  private lastId = 0;

  /** Starts `node <args>` in a new process group. */
  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, args, { detached: process.platform !== 'win32' });
    const decoder = new TextDecoder();
    this.child.stdout.on('data', (chunk: Buffer) => this.read(decoder.decode(chunk, { stream: true })));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.look();
    });
    // The agent may have exited.
    this.child.stdin.on('error', () => undefined);
    this.exit = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve({ code, signal })));
    this.closed = new Promise((resolve) => this.child.once('close', () => resolve()));
    const outputEnd = new Promise<void>((resolve) => this.child.stdout.once('close', () => resolve()));
    void Promise.all([this.exit, outputEnd]).then(([{ code, signal }]) => {
      this.gone = `the agent exited (${signal ?? String(code)})`;
      for (const waiter of this.waiters) waiter.giveUp(this.gone);
    });
  }

  /** The params of all notifications of a method received so far. */
  received(method: string): Readonly<Record<string, unknown>>[] {
    return this.messages.filter((message) => message.method === method).map(({ params }) => params ?? {});
  }

  /** All updates of a kind received so far. */
  updates(kind: string): Readonly<Record<string, unknown>>[] {
    return this.received('session/update')
      .map(({ update }) => (update ?? {}) as Readonly<Record<string, unknown>>)
      .filter((update) => update['sessionUpdate'] === kind);
  }

  /** The agent's message so far, with all chunks joined. */
  get said(): string {
    const contents = this.updates('agent_message_chunk').map(({ content }) => content as { text: string } | undefined);
    return contents.map((content) => content?.text ?? '').join('');
  }

  /** Writes a raw line. */
  write(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  notify(method: string, params: unknown): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request without waiting for the response. Returns its id. */
  send(method: string, params: unknown): number {
    const id = ++this.lastId;
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  /** Sends a request. Returns the whole response. */
  request(method: string, params: unknown): Promise<RawMessage> {
    return this.answerTo(this.send(method, params));
  }

  /** The response to an earlier request. */
  answerTo(id: number): Promise<RawMessage> {
    return this.message(`the answer to ${id}`, (message) => message.id === id && message.method === undefined);
  }

  /** Responds to a request of the agent. */
  answer(request: RawMessage, result: unknown): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
  }

  /** The first matching message, past or future. */
  private message(what: string, fits: (message: RawMessage) => boolean): Promise<RawMessage> {
    let seen = 0;
    return this.wait(what, () => {
      for (let message = this.messages[seen]; message; message = this.messages[seen]) {
        seen++;
        if (fits(message)) return message;
      }
      return undefined;
    });
  }

  /** The first matching notification or request of a method. */
  async call(
    method: string,
    fits: (params: Readonly<Record<string, unknown>>) => boolean = () => true,
  ): Promise<RawMessage> {
    return await this.message(method, (message) => message.method === method && fits(message.params ?? {}));
  }

  /** Settles when `find` returns something. It's called after each message. */
  private wait<T>(what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): boolean => {
        const found = find();
        if (found !== undefined) resolve(found);
        return found !== undefined;
      };
      const giveUp = (why: string): void =>
        reject(new Error(`No ${what}: ${why}. stderr: ${this.stderr || '(nothing)'}`));
      if (look()) return;
      if (this.gone === undefined) this.waiters.add({ look, giveUp });
      else giveUp(this.gone);
    });
  }

  /** Closes the agent's stdin, which asks it to exit. */
  end(): void {
    this.child.stdin.end();
  }

  /** Kills the agent and its child processes. */
  killGroup(): void {
    try {
      if (process.platform === 'win32' || this.child.pid === undefined) this.child.kill('SIGKILL');
      else process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  }

  private read(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.take(line);
    this.look();
  }

  private take(line: string): void {
    const value = parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) this.messages.push(value);
    else this.junk.push(line);
  }

  private look(): void {
    for (const waiter of this.waiters) {
      if (waiter.look()) this.waiters.delete(waiter);
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
