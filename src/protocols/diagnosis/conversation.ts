import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';
import type { EndCause } from '../../log/termination';
import type { WireDirection, WireProcessEvent } from '../../wire/wireEvent';
import { boundedSessionId } from '../sessionId';
import type { JsonObject, RequestId } from '../json';
import { arrayOf, objectOf, requestIdOf, textOf, twinOf } from '../json';
import { asksToEnd, isBeginning } from '../lifecycle';
import { LastLines } from '../lastLines';
import type { OpenRequest } from '../openRequests';
import { BoundedMap } from './boundedMap';
import type { Finding } from './diagnosis';
import type { SpokenProtocol } from '../spokenProtocol';
import type { Seen, SeenNotification, SeenResponse } from './seen';
import type { Turn } from './turn';

const maxOpen = 1000;
const maxAnswered = 500;
const maxSessions = 1000;
const maxTurns = 200;
/** Whoever looks for a session's id in a text looks for so many, the newest; a shorter id may be part of a word. */
const maxSearched = 50;
const minDistinct = 12;
/**
 * So many lines of standard error, and of what else stood on standard output, are kept for the time when the process has ended: an exception
 * may have many fields below it.
 */
const maxLastLines = 60;

/** Requests that open a session, or open one again. */
const openers = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);

/** A request that ended without an answer. */
export interface ClosedRequest {
  readonly method: string;
  readonly at: number;
  /** `cancelled` by whoever had asked, `taken-back` by whoever was asked, or it did not get through. */
  readonly how: 'cancelled' | 'taken-back' | 'failed';
}

/** What all rules need to know of the run so far, bounded in size. */
export class Conversation {
  private readonly open = new BoundedMap<string, OpenRequest>(maxOpen);
  private readonly answeredIds = new BoundedMap<string, string>(maxAnswered);
  private readonly closedIds = new BoundedMap<string, ClosedRequest>(maxAnswered);
  /** Those that were opened. */
  private readonly sessions = new BoundedMap<string, true>(maxSessions);
  /** Those that the agent has named in a list: so many old ones must not displace the one that is open. */
  private readonly listed = new BoundedMap<string, true>(maxSessions);
  /** By session. */
  readonly turns = new BoundedMap<string, Turn>(maxTurns);
  /** The parameters of the latest `initialize` that was answered; of the first, once it was sent. */
  initializeParams: JsonObject | undefined;
  private offered: JsonObject | undefined;
  /** The latest answer to `initialize`, once one has come. */
  initializeResult: JsonObject | undefined;
  /** The least severe level that was asked for, if any was. */
  askedLevel: Level | undefined;
  /** When the agent of a stream was started, as long as it has not said a word; in milliseconds since the epoch. */
  silentSince: number | undefined;
  /** Whether we want the end: what ends with it is no fault. */
  askedToEnd = false;
  /** Whether an agent's stream has told why its latest turn failed: the exit code that follows says no more. */
  hasToldFailure = false;
  /** Whether the line that is seen is a `result` (of an agent's stream) that ends a turn which the person has interrupted. */
  wasInterrupted = false;
  /** What was found last that is an error. */
  latestError: Pick<Finding, 'what' | 'advice'> | undefined;
  /** Why the process ended, once it has though nobody had asked it to. */
  endCause: EndCause | undefined;
  /** What is wrong with an answer to the first question that cannot be taken for one, as long as no other has come. */
  unusableAnswer: EndCause | undefined;
  private readonly lastLines = new LastLines(maxLastLines);
  private readonly lastPrinted = new LastLines(maxLastLines);

  constructor(readonly protocol: SpokenProtocol) {}

  /** Notes a request; answers whether another with its id is open. */
  opened(request: OpenRequest): boolean {
    const key = keyOf(request.direction, request.id);
    const isIdInUse = this.open.has(key);
    this.open.set(key, request);
    // What comes by that id is about this request from now on.
    this.answeredIds.delete(key);
    this.closedIds.delete(key);
    return isIdInUse;
  }

  /** The request that an answer going `dir` belongs to, which is no longer open. */
  answered(dir: WireDirection, id: RequestId): OpenRequest | undefined {
    const direction = dir === 'a2c' ? 'out' : 'in';
    const request = this.openOf(direction, id);
    if (!request) return undefined;
    const key = keyOf(direction, request.id);
    this.open.delete(key);
    this.answeredIds.set(key, request.method);
    return request;
  }

  /** The method of a request of that id which was answered before. */
  answeredBefore(dir: WireDirection, id: RequestId): string | undefined {
    const direction = dir === 'a2c' ? 'out' : 'in';
    return this.firstOf(id, (one) => this.answeredIds.get(keyOf(direction, one)));
  }

  find(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    return this.open.get(keyOf(direction, id));
  }

  /** The request of ours by that id that ended without an answer. */
  closedBefore(id: RequestId): ClosedRequest | undefined {
    return this.firstOf(id, (one) => this.closedIds.get(keyOf('out', one)));
  }

  /** Oldest first. */
  get openRequests(): readonly OpenRequest[] {
    return this.open.values();
  }

  /** The oldest open request of this kind. */
  firstOpen(test: (request: OpenRequest) => boolean): OpenRequest | undefined {
    return this.open.find(test);
  }

  /** Nothing can be answered any more. */
  end(): void {
    this.open.clear();
    this.turns.clear();
    this.silentSince = undefined;
  }

  /** Whether a request or a turn is open. */
  get hasOpen(): boolean {
    return this.open.size > 0 || this.turns.size > 0 || this.silentSince !== undefined;
  }

  knowsSession(sessionId: string): boolean {
    return this.sessions.has(sessionId) || this.listed.has(sessionId);
  }

  /** A session of which this text names the id. */
  sessionIn(text: string): string | undefined {
    const isNamed = (id: string): boolean => id.length >= minDistinct && text.includes(id);
    return (
      this.sessions.keys().slice(-maxSearched).find(isNamed) ?? this.listed.keys().slice(-maxSearched).find(isNamed)
    );
  }

  /** ACP's draft, which has other shapes, and other turns. */
  get isAcpVersion2(): boolean {
    return this.initializeResult?.['protocolVersion'] === 2;
  }

  /** What the client says it can do. */
  get clientCapabilities(): JsonObject {
    return objectOf(this.initializeParams?.['clientCapabilities'] ?? this.initializeParams?.['capabilities']);
  }

  /** What the agent says it can do. */
  get agentCapabilities(): JsonObject {
    return objectOf(this.initializeResult?.['agentCapabilities'] ?? this.initializeResult?.['capabilities']);
  }

  /** The ways to log in that the agent names, as a person knows them. */
  authMethods(error?: unknown): string[] {
    const own = arrayOf(objectOf(error)['authMethods']);
    const methods = own.length > 0 ? own : arrayOf(this.initializeResult?.['authMethods']);
    return methods
      .slice(0, 10)
      .map(objectOf)
      .flatMap(({ name, id }) => textOf(name) ?? textOf(id) ?? [])
      .map((name) => name.slice(0, 80));
  }

  /** The newest lines of standard error. */
  get lastStderr(): readonly string[] {
    return this.lastLines.all;
  }

  /** Those of them that have come since this time, in milliseconds since the epoch. */
  stderrSince(t: number): readonly string[] {
    return this.lastLines.since(t);
  }

  /** The newest lines of standard output that are no messages, as far as no message came after them. */
  get lastStdout(): readonly string[] {
    return this.lastPrinted.all;
  }

  see(seen: Seen): void {
    if (seen.event.dir === 'a2c') this.seeOutput(seen);
    switch (seen.type) {
      case 'request':
        if (seen.dir === 'c2a' && seen.request.method === 'initialize') {
          this.offered = seen.params;
          // What is offered again holds once it is answered.
          if (!this.initializeResult) this.seeOffer(seen.params);
        }
        if (seen.dir === 'c2a' && openers.has(seen.request.method)) this.addSession(seen.params['sessionId']);
        return;
      case 'response':
        if (seen.dir === 'a2c' && seen.request && !seen.error) this.seeResult(seen, seen.request);
        return;
      case 'stderr':
        this.lastLines.keep(seen.event);
        return;
      case 'process':
        if (isBeginning(seen.event)) this.begin(seen.event.t);
        if (asksToEnd(seen.event)) this.askedToEnd = true;
        this.seeConnection(seen.event);
        return;
      case 'notification':
        if (this.protocol === 'acp' && seen.dir === 'a2c') this.seeUpdate(seen);
        if (this.protocol === 'mcp' && seen.method === 'notifications/cancelled') this.seeCancel(seen);
        // LSP's way to ask for the end.
        if (this.protocol === 'lsp' && seen.dir === 'c2a' && seen.method === 'exit') this.askedToEnd = true;
        return;
      default:
    }
  }

  private seeOutput(seen: Seen): void {
    this.silentSince = undefined;
    const isPrinted = seen.type === 'malformed' && (seen.why === 'not-json' || seen.why === 'no-message');
    if (isPrinted) this.lastPrinted.keep(seen.event);
    else this.lastPrinted.clear();
  }

  /** A process is started in place of one that has ended: nothing of that one's end is its own. */
  private begin(t: number): void {
    if (this.protocol === 'stream-json') this.silentSince = t;
    this.askedToEnd = false;
    this.hasToldFailure = false;
    this.latestError = undefined;
    this.endCause = undefined;
    this.unusableAnswer = undefined;
    this.lastLines.clear();
    this.lastPrinted.clear();
  }

  /**
   * A cancellation is one of the sender's own requests, which may be over already, else of one that was made to the sender, who will not
   * answer it.
   */
  private seeCancel({ dir, params, event }: SeenNotification): void {
    const id = requestIdOf(params['requestId']);
    if (id === undefined) return;
    const [own, other] = dir === 'c2a' ? (['out', 'in'] as const) : (['in', 'out'] as const);
    const asked = this.openOf(own, id);
    const request = asked ?? (this.isOver(own, id) ? undefined : this.openOf(other, id));
    if (request) this.close(request, asked ? 'cancelled' : 'taken-back', event.t);
  }

  /** Whether the latest request of that id has ended. */
  private isOver(direction: OpenRequest['direction'], id: RequestId): boolean {
    const isKnown = (one: RequestId): true | undefined => {
      const key = keyOf(direction, one);
      return this.answeredIds.has(key) || this.closedIds.has(key) || undefined;
    };
    return this.firstOf(id, isKnown) ?? false;
  }

  /** Requests that end with an HTTP exchange, and not with an answer. */
  private seeConnection(event: WireProcessEvent): void {
    const id = event.ev === 'http' ? event.requestId : event.ev === 'stream-close' ? event.cancels : undefined;
    const request = id === undefined ? undefined : this.find('out', id);
    if (request) this.close(request, event.ev === 'http' ? 'failed' : 'cancelled', event.t);
  }

  private close({ direction, id, method }: OpenRequest, how: ClosedRequest['how'], at: number): void {
    const key = keyOf(direction, id);
    this.open.delete(key);
    this.closedIds.set(key, { method, at, how });
  }

  private openOf(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    return this.firstOf(id, (one) => this.find(direction, one));
  }

  /** What is known by an id. For MCP 1 and "1" are one where only one of them is known: servers give one back for the other. */
  private firstOf<T>(id: RequestId, find: (id: RequestId) => T | undefined): T | undefined {
    const twin = this.protocol === 'mcp' ? twinOf(id) : undefined;
    return find(id) ?? (twin === undefined ? undefined : find(twin));
  }

  private seeResult({ result }: SeenResponse, request: OpenRequest): void {
    const fields = objectOf(result);
    if (request.method === 'initialize') {
      this.initializeResult = fields;
      if (this.offered) this.seeOffer(this.offered);
    }
    if (openers.has(request.method)) this.addSession(fields['sessionId'] ?? request.sessionId);
    if (request.method === 'session/list') {
      for (const session of arrayOf(fields['sessions']).slice(0, maxSessions)) {
        const id = textOf(objectOf(session)['sessionId']);
        if (id !== undefined) this.listed.set(boundedSessionId(id), true);
      }
    }
  }

  /** A subagent's session is opened by the agent itself, which tells of it in the session that it is for. */
  private seeUpdate({ params }: SeenNotification): void {
    const update = objectOf(params['update']);
    if (update['sessionUpdate'] === 'subagent_update') this.addSession(update['sessionId']);
  }

  private seeOffer(params: JsonObject): void {
    this.initializeParams = params;
    this.askedLevel = parseLevel(objectOf(this.clientCapabilities['logging'])['level']);
  }

  private addSession(id: unknown): void {
    const text = textOf(id);
    if (text !== undefined) this.sessions.set(boundedSessionId(text), true);
  }
}

/** 1 and "1" are different ids. */
function keyOf(direction: OpenRequest['direction'], id: RequestId): string {
  return `${direction} ${typeof id} ${String(id).slice(0, 256)}`;
}
