import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';
import { boundedSessionId } from '../../protocols/sessionId';
import type { JsonObject, RequestId } from '../../protocols/json';
import { arrayOf, objectOf, textOf } from '../../protocols/json';
import { asksToEnd, isBeginning } from '../../protocols/lifecycle';
import { LastLines } from '../../protocols/lastLines';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import { requestKey } from '../../protocols/jsonrpc/requests';
import { BoundedMap } from '../../protocols/boundedMap';
import type { WireStderr } from '../../wire/wireEvent';
import type { StderrTrouble } from './troubles';
import { readTrouble } from './troubles';
import type { Protocol } from '../../log/protocol';
import type { LineFact, NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import { contentTextOf } from '../../protocols/activity/toolOutput';
import type { Turn } from './turn';

const maxOpen = 1000;
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
const openers: ReadonlySet<string> = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);

/** What all rules need to know of the run so far, bounded in size. */
export class Conversation {
  private readonly open = new BoundedMap<string, OpenRequest>(maxOpen);
  /** Those that were opened. */
  private readonly sessions = new BoundedMap<string, true>(maxSessions);
  /** Those that the agent has listed, or opened for a subagent: so many must not displace the one that is open. */
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
  /** When the client last chose a model, in milliseconds since the epoch. */
  modelChosenAt = -Infinity;
  /** Whether the agent has opened a session, and so needed no login or had one. */
  hasOpenedSession = false;
  /** Whether we want the end: what ends with it is no fault. */
  askedToEnd = false;
  /** Whether an agent's stream says that its latest turn failed or was interrupted: the exit code that follows says no more. */
  hasReportedFailure = false;
  /** Cache: the line of standard error that was read last. */
  private stderrRead: { readonly event: WireStderr; readonly trouble: StderrTrouble | undefined } | undefined;
  private readonly lastLines = new LastLines(maxLastLines);
  private readonly lastPrinted = new LastLines(maxLastLines);

  constructor(readonly protocol: Protocol) {}

  find(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    return this.open.get(requestKey(direction, id));
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

  /** Whether the person has just chosen a model: that it changes then is no news. */
  hasChosenModel(t: number): boolean {
    return t - this.modelChosenAt < 60_000;
  }

  /** A session of which this text names the id. */
  sessionIn(text: string): string | undefined {
    return this.sessionsIn(text)[0];
  }

  /** The turn of the session that a text names; if it names none, the only one that runs. */
  turnNamedIn(text: string): Turn | undefined {
    if (this.turns.size === 0) return undefined;
    const sessionId = this.sessionIn(text);
    if (sessionId !== undefined) return this.turns.get(sessionId);
    return this.turns.size === 1 ? this.turns.values()[0] : undefined;
  }

  /** What a line on standard error says of the model or its provider. */
  troubleOnStderr(event: WireStderr): StderrTrouble | undefined {
    if (this.stderrRead?.event !== event) this.stderrRead = { event, trouble: readTrouble(event.line) };
    return this.stderrRead.trouble;
  }

  /** All sessions of which this text names the id, the longest id first: one may be part of another. */
  sessionsIn(text: string): readonly string[] {
    const recent = [...this.sessions.keys().slice(-maxSearched), ...this.listed.keys().slice(-maxSearched)];
    const named = recent.filter((id) => id.length >= minDistinct && text.includes(id));
    return [...new Set(named)].sort((a, b) => b.length - a.length);
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

  see(seen: LineFact): void {
    if (seen.event.dir === 'a2c') this.seeOutput(seen);
    switch (seen.type) {
      case 'request':
        this.open.set(requestKey(seen.request.direction, seen.request.id), seen.request);
        if (seen.dir === 'c2a' && seen.request.method === 'initialize') {
          this.offered = seen.params;
          // What is offered again holds once it is answered.
          if (!this.initializeResult) this.seeOffer(seen.params);
        }
        if (seen.dir === 'c2a' && choosesModel(seen)) this.modelChosenAt = seen.event.t;
        if (seen.dir === 'c2a' && openers.has(seen.request.method)) this.addSession(seen.params['sessionId']);
        return;
      case 'closed':
        return this.close(seen.request);
      case 'response':
        if (seen.request) this.close(seen.request);
        if (seen.dir === 'a2c' && seen.request && !seen.error) this.seeResult(seen, seen.request);
        return;
      case 'stderr':
        this.lastLines.keep(seen.event);
        return;
      case 'process':
        if (isBeginning(seen.event)) this.begin(seen.event.t);
        if (asksToEnd(seen.event)) this.askedToEnd = true;
        return;
      case 'notification':
        if (this.protocol === 'acp' && seen.dir === 'a2c') this.seeUpdate(seen);
        // LSP's way to ask for the end.
        if (this.protocol === 'lsp' && seen.dir === 'c2a' && seen.method === 'exit') this.askedToEnd = true;
        return;
      default:
    }
  }

  private seeOutput(seen: LineFact): void {
    this.silentSince = undefined;
    const isPrinted = seen.type === 'junk' && (seen.why === 'not-json' || seen.why === 'no-message');
    if (isPrinted) this.lastPrinted.keep(seen.event);
    else this.lastPrinted.clear();
  }

  /** A process is started in place of one that has ended: nothing of that one's end is its own. */
  private begin(t: number): void {
    if (this.protocol === 'stream-json') this.silentSince = t;
    this.askedToEnd = false;
    this.hasReportedFailure = false;
    this.hasOpenedSession = false;
    this.lastLines.clear();
    this.lastPrinted.clear();
  }

  private close({ direction, id }: OpenRequest): void {
    this.open.delete(requestKey(direction, id));
  }

  private seeResult({ result }: ResponseFact, request: OpenRequest): void {
    const fields = objectOf(result);
    if (request.method === 'initialize') {
      this.initializeResult = fields;
      if (this.offered) this.seeOffer(this.offered);
    }
    if (openers.has(request.method)) {
      this.hasOpenedSession = true;
      this.addSession(fields['sessionId'] ?? request.sessionId);
    }
    if (request.method === 'session/list') {
      for (const session of arrayOf(fields['sessions']).slice(0, maxSessions)) {
        const id = textOf(objectOf(session)['sessionId']);
        if (id !== undefined) this.listed.set(boundedSessionId(id), true);
      }
    }
  }

  /** A subagent's session is opened by the agent itself, which tells of it in the session that it is for. */
  private seeUpdate({ params }: NotificationFact): void {
    const update = objectOf(params['update']);
    const id = update['sessionUpdate'] === 'subagent_update' ? textOf(update['sessionId']) : undefined;
    if (id !== undefined) this.listed.set(boundedSessionId(id), true);
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

/** Whether the person wants another model, by a request or by a command of the agent's own. */
function choosesModel({ request, params }: RequestFact): boolean {
  if (request.method === 'session/set_model') return true;
  if (request.method === 'session/set_config_option') return /model/i.test(textOf(params['configId']) ?? '');
  return request.method === 'session/prompt' && /^\s*\/model\b/.test(contentTextOf(params['prompt']) ?? '');
}

/** Whether a request opens a session, or opens one again. */
export function opensSession(method: string): boolean {
  return openers.has(method);
}
