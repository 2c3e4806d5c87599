import type { JsonObject, RequestId } from '../../text/json';
import { isObject, objectOf, requestIdOf, textOf } from '../../text/json';
import { deepJson } from '../../text/jsonText';
import type { WireEvent, WireMessage } from '../../wire/wireEvent';

/** How a recorded agent exited. One that ended by a signal of its client exits properly when its client closes stdin. */
export function exitOf({ code, signal }: RecordedExit, sent: ReadonlySet<string>): RecordedExit {
  return signal !== null && sent.has(signal) ? { code: 0, signal: null } : { code, signal };
}

/** Something that the agent did, and how long after the step before it, in milliseconds. */
export type Step = { readonly after: number } & (
  | { readonly type: 'message'; readonly line: string; readonly message: JsonObject | undefined }
  | { readonly type: 'stderr'; readonly line: string }
  /** It waited for the client's answer to its request. */
  | { readonly type: 'answered'; readonly id: RequestId }
  /** It waited until the client cancelled. */
  | { readonly type: 'cancelled' }
  /** It ended by itself. */
  | { readonly type: 'exit'; readonly exit: RecordedExit }
);

export interface RecordedExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A message of the client, and what the agent did about it. The answer of a request is among the steps. */
export interface Exchange {
  /** Absent for a notification. */
  readonly id?: RequestId;
  readonly method: string;
  readonly sessionId: string | undefined;
  /** What it asks for, such as the text of a prompt or the name and arguments of a tool; comparable as text. */
  readonly subject: string;
  /** The token that the agent reports progress with (MCP). */
  readonly progressToken?: unknown;
  readonly steps: readonly Step[];
}

/** How to play a recording of JSON-RPC: what the agent does depends on what the client sends, not on when. */
export interface Script {
  /** What it did before the first message of the client. */
  readonly opening: readonly Step[];
  readonly exchanges: readonly Exchange[];
  /** How it exited when the client had closed its input; `undefined` if the recording doesn't say. */
  readonly exit: RecordedExit | undefined;
}

interface OpenExchange extends Omit<Exchange, 'steps'> {
  readonly steps: Step[];
  lastAt: number;
  isOpen: boolean;
}

const cancelling = new Set(['session/cancel', '$/cancel_request', '$/cancelRequest', 'notifications/cancelled']);
/** What of a request's parameters names its subject; others have none. */
const subjectFields: Readonly<Record<string, readonly string[]>> = {
  'session/prompt': ['prompt'],
  'session/set_mode': ['modeId'],
  'tools/call': ['name', 'arguments'],
  'prompts/get': ['name', 'arguments'],
  'resources/read': ['uri'],
  'completion/complete': ['ref', 'argument'],
};

/** Makes the script of a recording. */
export function scriptOf(events: readonly WireEvent[]): Script {
  const writer = new ScriptWriter();
  for (const event of events) writer.accept(event);
  return writer.script;
}

/** What a request asks for, as text. */
export function subjectOf(method: string, params: JsonObject): string {
  const fields = Object.hasOwn(subjectFields, method) ? (subjectFields[method] ?? []) : [];
  return deepJson(fields.map((field) => withoutMeta(params[field]) ?? null));
}

/** Deeper values are compared as they are. */
const maxDepth = 64;

/** Extensions that clients add differ. */
function withoutMeta(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutMeta(item, depth + 1));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '_meta');
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutMeta(one, depth + 1)]).sort());
}

/** Whether a notification ends something that goes on. */
export function isCancelling(method: string): boolean {
  return cancelling.has(method);
}

/** The ID of the request that a notification cancels; `undefined` if it is for a session. */
export function cancelledId(params: JsonObject): RequestId | undefined {
  return requestIdOf(params['requestId']) ?? requestIdOf(params['id']);
}

export function sessionOf(params: JsonObject): string | undefined {
  return textOf(params['sessionId']);
}

class ScriptWriter {
  private readonly opening: OpenExchange = {
    method: '',
    sessionId: undefined,
    subject: '',
    steps: [],
    lastAt: 0,
    isOpen: false,
  };
  private readonly exchanges: OpenExchange[] = [];
  /** By the agent's request. */
  private readonly askers = new Map<RequestId, OpenExchange>();
  private hasStarted = false;
  private isClosing = false;
  /** The signals that the client sent. */
  private readonly sent = new Set<string>();
  private exit: RecordedExit | undefined;

  get script(): Script {
    return { opening: this.opening.steps, exchanges: this.exchanges, exit: this.exit };
  }

  accept(event: WireEvent): void {
    if (!this.hasStarted) this.opening.lastAt = event.t;
    this.hasStarted = true;
    switch (event.dir) {
      case 'c2a':
        return this.fromClient(event.t, objectOf(event.msg));
      case 'a2c':
        return this.fromAgent(event);
      case 'err':
        return this.add(this.owner(undefined), event.t, { type: 'stderr', line: event.line });
      case 'ev':
        if (event.ev === 'stdin-close' || event.ev === 'signal') this.isClosing = true;
        if (event.ev === 'signal') this.sent.add(event.signal);
        if (event.ev === 'exit') this.ended(event.t, exitOf(event, this.sent));
    }
  }

  private fromClient(t: number, message: JsonObject): void {
    const id = requestIdOf(message['id']);
    const method = textOf(message['method']);
    if (method === undefined) {
      const asker = id === undefined ? undefined : this.askers.get(id);
      if (asker && id !== undefined) this.add(asker, t, { type: 'answered', id });
      return;
    }
    const params = objectOf(message['params']);
    if (id === undefined && isCancelling(method)) {
      const cancelled = this.cancelledBy(params);
      if (cancelled) this.add(cancelled, t, { type: 'cancelled' });
      return;
    }
    const { progressToken } = objectOf(params['_meta']);
    this.exchanges.push({
      ...(id !== undefined && { id }),
      method,
      sessionId: sessionOf(params),
      subject: subjectOf(method, params),
      ...(progressToken !== undefined && { progressToken }),
      steps: [],
      lastAt: t,
      isOpen: id !== undefined,
    });
  }

  private fromAgent({ t, line, msg, bytes }: WireMessage): void {
    const message = isObject(msg) ? msg : undefined;
    const id = requestIdOf(message?.['id']);
    const isRequest = textOf(message?.['method']) !== undefined;
    const asked = message && id !== undefined && !isRequest ? this.openWith(id) : undefined;
    const owner = asked ?? this.owner(sessionOf(objectOf(message?.['params'])));
    const isWhole = bytes === undefined;
    if (isWhole) this.add(owner, t, { type: 'message', line, message });
    else if (asked && id !== undefined) this.add(owner, t, tooLong(id, bytes));
    if (asked) asked.isOpen = false;
    else if (id !== undefined && isRequest) this.askers.set(id, owner);
  }

  private ended(t: number, exit: RecordedExit): void {
    if (this.isClosing) this.exit = exit;
    else this.add(this.owner(undefined), t, { type: 'exit', exit });
  }

  /** What a message of the agent belongs to: the oldest request that goes on in its session, else what the client said last. */
  private owner(sessionId: string | undefined): OpenExchange {
    const own = sessionId === undefined ? [] : this.exchanges.filter((one) => one.sessionId === sessionId);
    const open = (all: readonly OpenExchange[]): OpenExchange | undefined => all.find(({ isOpen }) => isOpen);
    return open(own) ?? open(this.exchanges) ?? own.at(-1) ?? this.exchanges.at(-1) ?? this.opening;
  }

  private openWith(id: RequestId): OpenExchange | undefined {
    return this.exchanges.findLast((one) => one.isOpen && one.id === id);
  }

  private cancelledBy(params: JsonObject): OpenExchange | undefined {
    const id = cancelledId(params);
    if (id !== undefined) return this.openWith(id);
    return this.exchanges.findLast((one) => one.isOpen && one.sessionId === sessionOf(params));
  }

  private add(exchange: OpenExchange, t: number, step: StepOf): void {
    exchange.steps.push({ ...step, after: Math.max(0, t - exchange.lastAt) });
    exchange.lastAt = t;
  }
}

/** A step without its time. */
type StepOf = Step extends infer One ? (One extends Step ? Omit<One, 'after'> : never) : never;

/** An answer that the journal has only in part. */
function tooLong(id: RequestId, bytes: number): StepOf {
  const text = `The recorded answer has ${bytes} bytes, which was too long to be kept.`;
  const message = { jsonrpc: '2.0', id, error: { code: -32603, message: text } };
  return { type: 'message', line: JSON.stringify(message), message };
}
