import type { WireDirection } from '../wire/wireEvent';
import { BoundedMap } from '../text/boundedMap';
import type { RequestId } from '../text/json';
import type { MethodRole } from './methodRole';
import { twinOf } from '../text/json';

/** Progress of a request (MCP "Progress"). */
export interface RequestProgress {
  /** Grows while work goes on, up to `total` if that is known. An ACP turn counts its finished tool calls. */
  readonly progress: number;
  readonly total?: number;
  /** What is being done, for a person: one line. */
  readonly message?: string;
}

/** A request that was sent and not yet answered. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly role?: MethodRole | undefined;
  /** `out`: the client asked the agent. `in`: the agent asked the client. */
  readonly direction: 'in' | 'out';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly sessionId?: string;
  /** The few parameters that are needed to describe its answer. */
  readonly noted?: unknown;
  /** Names the request in progress notifications (MCP `_meta.progressToken`). */
  readonly progressToken?: RequestId;
  /** Absent until the first progress is reported. */
  readonly progress?: RequestProgress;
  /** Its session ended after it was sent, so its answer doesn't mean that the session can be used. */
  readonly isOutdated?: boolean;
  /** The task that it became, or that it is about (MCP `tasks/get` and the like). */
  readonly taskId?: string;
  /** The client can do without the answer. */
  readonly isOptional?: boolean;
  /** `control`: of an agent's stream. `work`: LSP's work done progress. Default: a request of JSON-RPC. Only those are judged. */
  readonly kind?: 'control' | 'work';
  /** A tool call, whose ID is the request's. */
  readonly isToolCall?: boolean;
}

/**
 * How a request ended: `cancelled` by the side that asked, `withdrawn` by the side that was asked, `failed` with its HTTP exchange. Only
 * `answered` has an answer.
 */
export type RequestEnd = 'answered' | 'cancelled' | 'withdrawn' | 'failed';

/** A request that is no longer open, remembered for messages that arrive late. */
export interface ClosedRequest {
  readonly request: OpenRequest;
  readonly how: RequestEnd;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A request that a cancellation has closed. */
export interface CancelledRequest {
  readonly request: OpenRequest;
  readonly how: 'cancelled' | 'withdrawn';
}

/** More open requests than this are not a conversation: the oldest are forgotten. */
const maxOpen = 1000;
/** How many closed requests are remembered. */
const maxClosed = 500;

/** The requests of a run: pairs them with their answers, in both directions. Each side numbers its own. */
export class Requests {
  private readonly open = new BoundedMap<string, OpenRequest>(maxOpen);
  /** Answered, but not over: ACP 2 answers a prompt when it is accepted, and MCP a request that goes on as a task. */
  private readonly accepted = new BoundedMap<string, OpenRequest>(maxOpen);
  private readonly closed = new BoundedMap<string, ClosedRequest>(maxClosed);
  /** Open requests by progress token. */
  private readonly tokens = new Map<string, OpenRequest>();

  /** Whether 1 and "1" are the same ID if only one of them is known: MCP servers return one for the other. Set by the run's reader. */
  hasLooseIds = false;

  /** @param changed called for each request that was opened or closed, or has new progress; `at` is when that was reported */
  constructor(private readonly changed: (request: OpenRequest, at?: number) => void = () => undefined) {}

  /** Adds a request. Returns the one that it replaces: same id, or the oldest of too many. */
  add(request: OpenRequest): OpenRequest | undefined {
    const key = requestKey(request.direction, request.id);
    const displaced = this.open.get(key) ?? this.accepted.get(key);
    this.accepted.delete(key);
    this.closed.delete(key);
    const dropped = displaced ?? this.open.set(key, request);
    if (displaced) this.open.set(key, request);
    if (dropped) this.dropped(dropped);
    this.added(request);
    return dropped;
  }

  /** Whether another request with this id is open. */
  isOpen(direction: OpenRequest['direction'], id: RequestId): boolean {
    return this.get(direction, id) !== undefined;
  }

  /** Closes the request that an answer going `dir` belongs to. */
  answer(dir: WireDirection, id: RequestId, at: number): OpenRequest | undefined {
    const direction = dir === 'a2c' ? 'out' : 'in';
    return this.close(
      this.firstOf(id, (one) => this.open.get(requestKey(direction, one))),
      'answered',
      at,
    );
  }

  /**
   * The request was answered, but only ends later, with `end`. A second answer doesn't find it. Returns the oldest of too many, which is
   * forgotten.
   */
  accept(request: OpenRequest): OpenRequest | undefined {
    const dropped = this.accepted.set(requestKey(request.direction, request.id), request);
    if (dropped) this.dropped(dropped);
    this.added(request);
    return dropped;
  }

  /** Whether the request was answered, but isn't over. */
  isAccepted({ direction, id }: Pick<OpenRequest, 'direction' | 'id'>): boolean {
    return this.accepted.has(requestKey(direction, id));
  }

  /** Closes the request, if it is open or accepted. */
  end(direction: OpenRequest['direction'], id: RequestId, how: RequestEnd, at: number): OpenRequest | undefined {
    return this.close(this.get(direction, id), how, at);
  }

  /**
   * Closes the request that a cancellation going `dir` means: one of the sender's own, unless that is over, else one that the sender was
   * asked, and won't answer.
   */
  cancel(dir: WireDirection, id: RequestId, at: number): CancelledRequest | undefined {
    const [own, other] = dir === 'c2a' ? (['out', 'in'] as const) : (['in', 'out'] as const);
    const asked = this.get(own, id);
    // A cancellation can cross the answer on its way; cancelling twice means the other side's request.
    const isAnswered = this.closedBefore(own, id)?.how === 'answered';
    const request = asked ?? (isAnswered ? undefined : this.get(other, id));
    const how = asked ? 'cancelled' : 'withdrawn';
    return this.close(request, how, at) && request && { request, how };
  }

  /** The latest request of this id, if it is over. */
  closedBefore(direction: OpenRequest['direction'], id: RequestId): ClosedRequest | undefined {
    return this.firstOf(id, (one) => this.closed.get(requestKey(direction, one)));
  }

  get size(): number {
    return this.open.size + this.accepted.size;
  }

  /** Oldest first. */
  get all(): readonly OpenRequest[] {
    return [...this.open.values(), ...this.accepted.values()].sort((a, b) => a.startedAt - b.startedAt);
  }

  /** Those of JSON-RPC, oldest first. */
  get judged(): readonly OpenRequest[] {
    return this.all.filter(isJudged);
  }

  get hasJudged(): boolean {
    return this.size > 0 && this.find(isJudged) !== undefined;
  }

  /** The method of the oldest request that the agent has to answer. */
  get unanswered(): string | undefined {
    return this.all.find(({ direction, isOptional }) => direction === 'out' && isOptional !== true)?.method;
  }

  /** A request that isn't over and passes. */
  find(test: (request: OpenRequest) => boolean): OpenRequest | undefined {
    return this.open.find(test) ?? this.accepted.find(test);
  }

  get(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    return this.firstOf(id, (one) => {
      const key = requestKey(direction, one);
      return this.open.get(key) ?? this.accepted.get(key);
    });
  }

  /** The open request that progress going `dir` with this token belongs to. */
  byToken(dir: WireDirection, token: RequestId): OpenRequest | undefined {
    const direction = dir === 'a2c' ? 'out' : 'in';
    const known = this.tokens.get(tokenKey(direction, token));
    return known && this.get(direction, known.id);
  }

  /** The closed request whose progress had this token. */
  closedByToken(dir: WireDirection, token: RequestId): ClosedRequest | undefined {
    const key = tokenKey(dir === 'a2c' ? 'out' : 'in', token);
    return this.closed.find(({ request }) => tokenOf(request) === key);
  }

  /**
   * Stores the progress of a request. Returns the updated request, or `undefined` if it isn't open.
   * @param at when it was reported, if that matters later; milliseconds since the epoch
   */
  report(
    direction: OpenRequest['direction'],
    id: RequestId,
    progress: RequestProgress,
    at?: number,
  ): OpenRequest | undefined {
    const before = this.get(direction, id);
    if (!before) return undefined;
    const request = this.update({ ...before, progress });
    this.changed(request, at);
    return request;
  }

  /** A session has ended: marks its open requests of this method. */
  outdate(sessionId: string, method: string): void {
    for (const request of this.all) {
      if (request.sessionId === sessionId && request.method === method) this.update({ ...request, isOutdated: true });
    }
  }

  /** Closes everything that is open, because the connection is gone. Oldest first. */
  takeAll(): readonly OpenRequest[] {
    const { all } = this;
    this.open.clear();
    this.accepted.clear();
    this.tokens.clear();
    for (const request of all) this.changed(request);
    return all;
  }

  private update(request: OpenRequest): OpenRequest {
    const key = requestKey(request.direction, request.id);
    (this.open.has(key) ? this.open : this.accepted).update(key, request);
    return request;
  }

  private close(request: OpenRequest | undefined, how: RequestEnd, at: number): OpenRequest | undefined {
    if (!request) return undefined;
    const key = requestKey(request.direction, request.id);
    this.open.delete(key);
    this.accepted.delete(key);
    this.closed.set(key, { request, how, at });
    this.dropped(request);
    return request;
  }

  private added(request: OpenRequest): void {
    const token = tokenOf(request);
    if (token !== undefined) this.tokens.set(token, request);
    this.changed(request);
  }

  private dropped(request: OpenRequest): void {
    this.forgetToken(request);
    this.changed(request);
  }

  private firstOf<T>(id: RequestId, find: (id: RequestId) => T | undefined): T | undefined {
    const twin = this.hasLooseIds ? twinOf(id) : undefined;
    return find(id) ?? (twin === undefined ? undefined : find(twin));
  }

  private forgetToken(request: OpenRequest): void {
    const token = tokenOf(request);
    // A client may have reused the token, against the protocol.
    if (token !== undefined && this.tokens.get(token)?.id === request.id) this.tokens.delete(token);
  }
}

function isJudged({ kind }: OpenRequest): boolean {
  return kind === undefined;
}

/** Identifies a request among all that are open: 1 and "1" are different ids. */
export function requestKey(direction: OpenRequest['direction'], id: RequestId): string {
  return `${direction} ${typeof id} ${id}`;
}

function tokenOf({ direction, progressToken }: OpenRequest): string | undefined {
  return progressToken === undefined ? undefined : tokenKey(direction, progressToken);
}

/** Servers return numbers as text and text as numbers, so the type is ignored. */
function tokenKey(direction: OpenRequest['direction'], token: RequestId): string {
  return `${direction} ${token}`;
}
