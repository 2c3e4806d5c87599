import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';
import type { WireDirection, WireProcessEvent } from '../../wire/wireEvent';
import type { JsonObject, RequestId } from '../json';
import { arrayOf, objectOf, textOf } from '../json';
import { asksToEnd } from '../lifecycle';
import type { OpenRequest } from '../openRequests';
import { BoundedMap } from './boundedMap';
import type { SpokenProtocol } from '../spokenProtocol';
import type { Seen, SeenResponse } from './seen';
import type { Turn } from './turn';

const maxOpen = 1000;
const maxAnswered = 500;
const maxSessions = 1000;
const maxTurns = 200;
/** Whoever looks for a session's id in a text looks for so many, the newest; a shorter id may be part of a word. */
const maxSearched = 50;
const minDistinct = 12;
/** So many lines of standard error are kept for the time when the process has ended. */
const maxLastLines = 30;

/** Requests that open a session, or open one again. */
const openers = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);

/** What all rules need to know of the run so far, bounded in size. */
export class Conversation {
  private readonly open = new BoundedMap<string, OpenRequest>(maxOpen);
  private readonly answeredIds = new BoundedMap<string, string>(maxAnswered);
  private readonly cancelledIds = new BoundedMap<string, { readonly method: string; readonly at: number }>(maxAnswered);
  private readonly sessions = new BoundedMap<string, true>(maxSessions);
  /** By session. */
  readonly turns = new BoundedMap<string, Turn>(maxTurns);
  /** The parameters of `initialize`, once it was sent. */
  initializeParams: JsonObject | undefined;
  /** The answer to `initialize`, once it has come. */
  initializeResult: JsonObject | undefined;
  /** The least severe level that was asked for, if any was. */
  askedLevel: Level | undefined;
  /** Whether we want the end: what ends with it is no fault. */
  askedToEnd = false;
  /** Whether an agent's stream has told why its turn failed: the exit code that follows says no more. */
  hasToldFailure = false;
  private readonly lastLines: string[] = [];

  constructor(readonly protocol: SpokenProtocol) {}

  /** Notes a request; answers whether another with its id is open. */
  opened(request: OpenRequest): boolean {
    const key = keyOf(request.direction, request.id);
    const isIdInUse = this.open.has(key);
    this.open.set(key, request);
    return isIdInUse;
  }

  /** The request that an answer going `dir` belongs to, which is no longer open. */
  answered(dir: WireDirection, id: RequestId): OpenRequest | undefined {
    const key = keyOf(dir === 'a2c' ? 'out' : 'in', id);
    const request = this.open.get(key);
    if (!request) return undefined;
    this.open.delete(key);
    this.answeredIds.set(key, request.method);
    return request;
  }

  /** The method of a request of that id which was answered before. */
  answeredBefore(dir: WireDirection, id: RequestId): string | undefined {
    return this.answeredIds.get(keyOf(dir === 'a2c' ? 'out' : 'in', id));
  }

  find(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    return this.open.get(keyOf(direction, id));
  }

  /** It was cancelled: nobody waits for its answer any more. */
  cancelled(request: OpenRequest, at: number): void {
    const key = keyOf(request.direction, request.id);
    this.open.delete(key);
    this.cancelledIds.set(key, { method: request.method, at });
  }

  /** What was cancelled by that id of ours, and when. */
  cancelledBefore(id: RequestId): { readonly method: string; readonly at: number } | undefined {
    return this.cancelledIds.get(keyOf('out', id));
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
  }

  /** Whether a request or a turn is open. */
  get hasOpen(): boolean {
    return this.open.size > 0 || this.turns.size > 0;
  }

  knowsSession(sessionId: string): boolean {
    return this.sessions.has(sessionId);
  }

  /** A session of which this text names the id. */
  sessionIn(text: string): string | undefined {
    return this.sessions
      .keys()
      .slice(-maxSearched)
      .find((id) => id.length >= minDistinct && text.includes(id));
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
    return this.lastLines;
  }

  see(seen: Seen): void {
    switch (seen.type) {
      case 'request':
        if (seen.dir === 'c2a' && seen.request.method === 'initialize') {
          this.initializeParams ??= seen.params;
          this.askedLevel ??= parseLevel(objectOf(this.clientCapabilities['logging'])['level']);
        }
        if (seen.dir === 'c2a' && openers.has(seen.request.method)) this.addSession(seen.params['sessionId']);
        return;
      case 'response':
        if (seen.dir === 'a2c' && seen.request && !seen.error) this.seeResult(seen, seen.request);
        return;
      case 'stderr':
        if (seen.event.line.trim() !== '') this.lastLines.push(seen.event.line.slice(0, 500));
        if (this.lastLines.length > maxLastLines) this.lastLines.shift();
        return;
      case 'process':
        if (asksToEnd(seen.event)) this.askedToEnd = true;
        this.seeConnection(seen.event);
        return;
      case 'notification':
        // LSP's way to ask for the end.
        if (this.protocol === 'lsp' && seen.dir === 'c2a' && seen.method === 'exit') this.askedToEnd = true;
        return;
      default:
    }
  }

  /** Requests that end with an HTTP exchange, and not with an answer. */
  private seeConnection(event: WireProcessEvent): void {
    const id = event.ev === 'http' ? event.requestId : event.ev === 'stream-close' ? event.cancels : undefined;
    const request = id === undefined ? undefined : this.find('out', id);
    if (request) this.open.delete(keyOf('out', request.id));
  }

  private seeResult({ result }: SeenResponse, request: OpenRequest): void {
    const fields = objectOf(result);
    if (request.method === 'initialize') this.initializeResult ??= fields;
    if (openers.has(request.method)) this.addSession(fields['sessionId'] ?? request.sessionId);
    if (request.method === 'session/list') {
      for (const session of arrayOf(fields['sessions']).slice(0, maxSessions)) {
        this.addSession(objectOf(session)['sessionId']);
      }
    }
  }

  private addSession(id: unknown): void {
    const text = textOf(id)?.slice(0, 256);
    if (text !== undefined) this.sessions.set(text, true);
  }
}

/** 1 and "1" are different ids. */
function keyOf(direction: OpenRequest['direction'], id: RequestId): string {
  return `${direction} ${typeof id} ${String(id).slice(0, 256)}`;
}
