import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject, RequestId } from '../../text/json';
import { isObject, objectOf, requestIdOf, textOf } from '../../text/json';
import { deepJson, jsonText, parsedJson } from '../../text/jsonText';
import { shownLine } from '../../text/text';
import { contentText } from '../../work/tools/contentText';
import type { Exchange, RecordedExit, Script, Step } from './script';
import { cancelledId, isCancelling, sessionOf, subjectOf } from './script';

export interface PlayerOptions {
  /** 2 is twice as fast as recorded; `Infinity` doesn't wait. */
  readonly speed: number;
  /** Whether requests match by their method and session only. */
  readonly loose: boolean;
  /** Removes secrets, as they were from the recording. */
  readonly redacted: (text: string) => string;
  readonly send: (text: string) => void;
  readonly stderr: (line: string) => void;
  /** Called with what the recording doesn't have. */
  readonly refused: (text: string) => void;
  /** Called once, if the recorded agent ended by itself. */
  readonly exit: (exit: RecordedExit) => void;
}

/** Error code for a request that the recording doesn't have (JSON-RPC 2.0 section 5.1: reserved for servers). */
const unexpectedCode = -32_001;
/** Most requests that an error names. */
const maxExpected = 5;
const maxSubject = 120;

/** Plays the agent of a script for a client, which may use other IDs. */
export class Player {
  private readonly left: Exchange[];
  /** The client's sessions, by the recorded ID. */
  private readonly sessions = new Map<string, string>();
  /** Answers that came before the step that waits for them. */
  private readonly early = new Set<RequestId>();
  private readonly waiting = new Set<Waiting>();
  private readonly playing = new Set<Promise<void>>();
  private isClosed = false;
  private unexpectedCount = 0;

  constructor(
    private readonly script: Script,
    private readonly options: PlayerOptions,
  ) {
    this.left = [...script.exchanges];
  }

  /** How many requests of the client the recording doesn't have. */
  get unexpected(): number {
    return this.unexpectedCount;
  }

  start(): void {
    this.play(this.script.opening, undefined);
  }

  /** A message of the client. Other lines are ignored, as a real agent might. */
  accept(text: string): void {
    const message = parsedJson(text);
    for (const one of Array.isArray(message) ? message : [message]) if (isObject(one)) this.take(one);
  }

  /** The client sends nothing more. Settles when everything is played that doesn't wait for it. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { done } of this.waiting) done(false);
    await Promise.all(this.playing);
  }

  private take(message: JsonObject): void {
    const id = requestIdOf(message['id']);
    const method = textOf(message['method']);
    if (method === undefined) {
      if (id !== undefined) this.answered(id);
      return;
    }
    const params = objectOf(message['params']);
    const exchange = this.matching(method, params, id !== undefined);
    if (exchange) {
      this.left.splice(this.left.indexOf(exchange), 1);
      this.play(exchange.steps, { exchange, message });
    } else if (id === undefined) this.cancel(method, params);
    else this.refuse(id, method, params);
  }

  private matching(method: string, params: JsonObject, isRequest: boolean): Exchange | undefined {
    const session = sessionOf(params);
    const subject = this.options.redacted(subjectOf(method, params));
    const found = this.left.find(
      (one) =>
        one.method === method &&
        (one.id !== undefined) === isRequest &&
        this.isSession(one.sessionId, session) &&
        (this.options.loose || this.options.redacted(one.subject) === subject),
    );
    if (found?.sessionId !== undefined && session !== undefined) this.sessions.set(found.sessionId, session);
    return found;
  }

  /** A session that isn't known yet, such as one that is loaded, may have any ID. */
  private isSession(recorded: string | undefined, live: string | undefined): boolean {
    if (recorded === undefined || live === undefined) return recorded === live;
    const known = this.sessions.get(recorded);
    if (known !== undefined) return known === live;
    return recorded === live || ![...this.sessions.values()].includes(live);
  }

  /** Other notifications that aren't in the recording are ignored. */
  private cancel(method: string, params: JsonObject): void {
    if (!isCancelling(method)) return;
    const id = cancelledId(params);
    const isMeant = ({ type, cause }: Waiting): boolean => {
      if (type !== 'cancelled') return false;
      return id === undefined
        ? this.isSession(cause?.exchange.sessionId, sessionOf(params))
        : cause?.message['id'] === id;
    };
    for (const one of this.waiting) if (isMeant(one)) one.done(true);
  }

  private answered(id: RequestId): void {
    const waiting = [...this.waiting].find((one) => one.type === 'answered' && one.id === id);
    if (waiting) waiting.done(true);
    else this.early.add(id);
  }

  private refuse(id: RequestId, method: string, params: JsonObject): void {
    this.unexpectedCount++;
    const expected = this.left
      .filter((one) => one.id !== undefined)
      .map(({ method: name, subject }) => named(name, subject));
    const list = [...new Set(expected)].slice(0, maxExpected).join(', ');
    const what = this.options.redacted(named(method, subjectOf(method, params)));
    const text = `Not in the recording: ${what}. ${list === '' ? 'No more requests are.' : `Expected: ${list}.`}`;
    this.options.refused(text);
    this.options.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: unexpectedCode, message: text } }));
  }

  private play(steps: readonly Step[], cause: Cause | undefined): void {
    const playing = this.steps(steps, cause).finally(() => this.playing.delete(playing));
    this.playing.add(playing);
  }

  private async steps(steps: readonly Step[], cause: Cause | undefined): Promise<void> {
    for (const step of steps) {
      const ms = step.after / this.options.speed;
      // The client takes its own time.
      if (step.type !== 'answered' && step.type !== 'cancelled' && ms >= 1) await delay(ms);
      const goesOn = this.step(step, cause);
      if (!(typeof goesOn === 'boolean' ? goesOn : await goesOn)) return;
    }
  }

  /** False if the rest isn't played. */
  private step(step: Step, cause: Cause | undefined): boolean | Promise<boolean> {
    switch (step.type) {
      case 'message':
        this.options.send(this.mapped(step.line, step.message, cause));
        return true;
      case 'stderr':
        this.options.stderr(step.line);
        return true;
      case 'answered':
        return this.early.delete(step.id) || this.untilDone({ type: 'answered', id: step.id, cause });
      case 'cancelled':
        return this.untilDone({ type: 'cancelled', cause });
      case 'exit':
        this.options.exit(step.exit);
        return false;
    }
  }

  private untilDone(what: WaitingFor): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        ...what,
        done: (isDone) => {
          this.waiting.delete(waiting);
          resolve(isDone);
        },
      };
      this.waiting.add(waiting);
    });
  }

  /** A recorded message with the client's IDs. */
  private mapped(line: string, message: JsonObject | undefined, cause: Cause | undefined): string {
    if (!message) return line;
    const isAnswer = !('method' in message) && cause?.exchange.id !== undefined && message['id'] === cause.exchange.id;
    let changed: JsonObject = isAnswer ? { ...message, id: cause.message['id'] } : message;
    const params = objectOf(changed['params']);
    const token = cause?.exchange.progressToken;
    if (token !== undefined && params['progressToken'] === token) {
      const { progressToken } = objectOf(objectOf(cause?.message['params'])['_meta']);
      changed = { ...changed, params: { ...params, progressToken: progressToken ?? token } };
    }
    const isSame = changed === message || (isAnswer && changed['id'] === message['id']);
    let text = isSame ? line : deepJson(changed);
    for (const [recorded, live] of this.sessions) {
      if (recorded !== live) text = text.replaceAll(JSON.stringify(recorded), () => JSON.stringify(live));
    }
    return text;
  }
}

type WaitingFor =
  | { readonly type: 'answered'; readonly id: RequestId; readonly cause: Cause | undefined }
  | { readonly type: 'cancelled'; readonly cause: Cause | undefined };

/** A step that waits for the client. */
type Waiting = WaitingFor & { readonly done: (isDone: boolean) => void };

interface Cause {
  readonly exchange: Exchange;
  /** What the client sent. */
  readonly message: JsonObject;
}

/** For example `session/prompt "hello"` and `tools/call "echo" {"text":"hi"}`. */
function named(method: string, subject: string): string {
  const values = parsedJson(subject);
  if (!Array.isArray(values)) return `${method} ${shownLine(subject, maxSubject)}`;
  const texts = values.flatMap((value) => (value === null ? [] : shown(value)));
  return texts.length === 0 ? method : `${method} ${shownLine(texts.join(' '), maxSubject)}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`;
  return Array.isArray(value) ? `"${contentText(value)}"` : (jsonText(value) ?? '');
}
