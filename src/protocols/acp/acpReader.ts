import type { RecordDraft } from '../../log/record';
import type { WireMessage } from '../../wire/wireEvent';
import { contentText } from '../contentText';
import type { LineFact } from '../facts';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject } from '../json';
import { isObject, objectOf, requestIdOf, textOf } from '../json';
import type { ErrorParts, ExchangeText } from '../jsonrpc/exchangeText';
import type { RequestDetails } from '../jsonrpc/jsonRpcReader';
import { JsonRpcReader } from '../jsonrpc/jsonRpcReader';
import type { OpenRequest } from '../jsonrpc/requests';
import type { LogLine } from '../logLine/logLine';
import { AcpActivities } from './activities';
import { describeError, describeRequest, describeResult, describeUnanswered, notedOf } from './exchange';
import { isLogMethod, logForm, logRecord } from './logMessage';
import { noticeRecord } from './notice';
import { describeNotification } from './notification';
import { sessionEndedMethod, sessionTermination, terminationRecord } from './sessionEnded';
import { closesSession, SessionChanges } from './sessionChanges';
import { SessionIds } from './sessionIds';
import { describeUpdate, interruptsMessage, speakerOf } from './sessionUpdate';
import { TextChunks } from './textChunks';
import { ToolTitles } from './toolTitles';
import { TurnProgress } from './turnProgress';
import { asVersion1 } from './v2/asVersion1';
import { describeState, describeTurnEnd } from './v2/stateUpdate';
import { Terminals } from './v2/terminals';
import { Turns } from './v2/turns';
import { WholeMessages, wholeSpeakerOf } from './v2/wholeMessages';

const acceptedText: ExchangeText = { level: 'debug', logger: 'turn', message: 'accepted' };

/** What goes well with sessions only that can be used. */
const resuming = new Set(['session/load', 'session/resume', 'session/prompt']);

/** Reads the Agent Client Protocol (agentclientprotocol.com), version 1 and the draft of version 2. */
export class AcpReader extends JsonRpcReader {
  private readonly chunks: TextChunks;
  private readonly sessions: SessionIds;
  private readonly changes: SessionChanges;
  private readonly tools = new ToolTitles();
  private readonly turns = new TurnProgress();
  private readonly acceptedTurns = new Turns();
  private readonly terminals = new Terminals();
  private readonly messages = new WholeMessages();
  private readonly activities: AcpActivities;
  private isVersion2 = false;

  constructor(sink: InterpreterSink) {
    super(sink, { expected: 'ACP has one JSON-RPC message to a line', logForm });
    this.chunks = new TextChunks((draft) => sink.record(draft));
    this.changes = new SessionChanges(sink);
    this.activities = new AcpActivities((fact) => sink.fact?.(fact));
    this.sessions = new SessionIds((sessionId, at) => sink.session({ type: 'seen', sessionId, at }));
  }

  protected override acceptLog(line: LogLine): void {
    if (line.sessionId !== undefined) line.sessionId = this.sessions.file(line.sessionId, line.receivedAt);
    super.acceptLog(line);
  }

  override quiet(t: number): void {
    super.quiet(t);
    this.chunks.quiet(t);
  }

  override get isWaiting(): boolean {
    return super.isWaiting || this.chunks.isWaiting;
  }

  protected override acceptFact(fact: LineFact): void {
    this.activities.see(fact);
  }

  protected override sessionOf(fields: JsonObject, t: number): string | undefined {
    return this.sessions.of(fields, t);
  }

  /** A line that names a session belongs to it, and shows only the end of its id. */
  protected override stderrRecord(draft: RecordDraft): RecordDraft {
    // Agents that can't change their level complain when asked, which is expected.
    const isOurs = draft.message.includes('logging/setLevel') && draft.message.includes('-32601');
    return this.sessions.attribute(isOurs ? { ...draft, level: 'debug' } : draft);
  }

  protected override acceptConnectionEvent(): boolean {
    this.chunks.completeAll();
    return false;
  }

  protected override describeUnanswered(request: OpenRequest, ms: number, askedToEnd: boolean): ExchangeText {
    return describeUnanswered(request, ms, askedToEnd);
  }

  protected override detailsOf(method: string, params: unknown, t: number): RequestDetails {
    const sessionId = this.sessions.of(objectOf(params), t);
    return { ...(sessionId !== undefined && { sessionId }), noted: notedOf(method, params) };
  }

  protected override acceptRequest(event: WireMessage, request: OpenRequest, params: unknown): void {
    const { method, sessionId } = request;
    if (sessionId !== undefined && (method === 'session/prompt' || method === 'session/request_permission')) {
      this.chunks.complete(sessionId);
    }
    this.turns.begin(request);
    this.acceptedTurns.begin(request);
    this.tell(event, describeRequest(request, params), sessionId);
  }

  protected override acceptAnswer(event: WireMessage, request: OpenRequest, fields: JsonObject): void {
    const turn = this.acceptedTurns.answer(request, fields['result'], this.isVersion2);
    if (turn === 'running') {
      this.requests.accept(request);
      return this.tell(event, acceptedText, request.sessionId);
    }
    if (!turn) return super.acceptAnswer(event, request, fields);
    this.closed(request);
    this.tell(event, describeTurnEnd(request, turn, event.t - request.startedAt), request.sessionId);
  }

  protected override acceptError(event: WireMessage, request: OpenRequest, error: ErrorParts, ms: number): void {
    if (request.sessionId !== undefined) this.chunks.complete(request.sessionId);
    this.tell(event, describeError(request, error, ms), request.sessionId);
  }

  protected override acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    const sessionId = this.sessionOfResult(request, objectOf(result), event.t);
    if (request.method === 'initialize') this.isVersion2 = objectOf(result)['protocolVersion'] === 2;
    if (sessionId !== undefined && request.method === 'session/prompt') this.chunks.complete(sessionId);
    this.tell(event, describeResult(request, result, ms), sessionId);
    if (sessionId === undefined || request.direction === 'in') return;
    this.changes.modes(sessionId, objectOf(result)['modes']);
    if (request.method === 'session/set_mode') this.changes.mode(sessionId, objectOf(request.noted)['modeId']);
    if (closesSession(request.method)) this.endSession(sessionId, event.t);
    else if (resuming.has(request.method) && request.isOutdated !== true) {
      this.sink.session({ type: 'resumed', sessionId, at: event.t });
    }
  }

  /** What forks a session names the old one, and its answer the new one. */
  private sessionOfResult({ method, sessionId }: OpenRequest, result: JsonObject, at: number): string | undefined {
    const named = method === 'session/fork' || sessionId === undefined ? this.sessions.of(result, at) : undefined;
    return named ?? sessionId;
  }

  protected override acceptNotification(event: WireMessage, method: string, params: unknown): void {
    if (event.dir === 'a2c' && isLogMethod(method)) {
      const draft = logRecord(params, event.t, event.line);
      if (draft.sessionId !== undefined) draft.sessionId = this.sessions.file(draft.sessionId, event.t);
      return this.sink.record(draft);
    }
    const sessionId = this.sessions.of(objectOf(params), event.t);
    if (event.dir === 'a2c' && method === sessionEndedMethod) return this.acceptSessionEnd(event, sessionId, params);
    if (event.dir === 'a2c' && method === 'session/update' && isObject(objectOf(params)['update'])) {
      return this.acceptUpdate(event, sessionId, objectOf(objectOf(params)['update']));
    }
    if (sessionId !== undefined && method === 'session/cancel') this.chunks.complete(sessionId);
    const cancelled = method === '$/cancel_request' ? this.requestNamedIn(event, params) : undefined;
    const text = describeNotification(method, params, cancelled, event.t);
    this.tell(event, text, cancelled?.sessionId ?? sessionId);
  }

  /** A `$/cancel_request` belongs to the session of its request. */
  private requestNamedIn(event: WireMessage, params: unknown): OpenRequest | undefined {
    const id = requestIdOf(objectOf(params)['requestId']);
    return id === undefined ? undefined : this.requests.find(event.dir === 'c2a' ? 'out' : 'in', id);
  }

  private acceptSessionEnd(event: WireMessage, sessionId: string | undefined, params: unknown): void {
    if (sessionId !== undefined) {
      this.chunks.complete(sessionId);
      this.endSession(sessionId, event.t);
    }
    this.sink.record(terminationRecord(sessionTermination(params), sessionId, event.t, event.line));
  }

  private endSession(sessionId: string, at: number): void {
    // A turn that was running is answered yet, as cancelled.
    this.requests.outdate(sessionId, 'session/prompt');
    this.sink.session({ type: 'ended', sessionId, at });
  }

  private acceptUpdate(event: WireMessage, sessionId: string | undefined, update: JsonObject): void {
    const kind = textOf(update['sessionUpdate']);
    const speaker = speakerOf(kind);
    if (sessionId !== undefined) {
      if (speaker !== undefined) return this.acceptChunk(event, sessionId, speaker, update);
      if (kind === 'terminal_output_chunk') return this.acceptTerminalOutput(event, sessionId, update);
      if (interruptsMessage(kind)) this.chunks.complete(sessionId);
      if (kind === 'state_update') return this.acceptState(event, sessionId, update);
      this.changes.update(sessionId, kind, update);
    }
    if (kind === 'notice') return this.sink.record(noticeRecord(update, sessionId, event.t, event.line));
    if (kind === 'terminal_update') {
      return this.tell(event, this.terminals.update(sessionId, update), sessionId);
    }
    const whole = wholeSpeakerOf(kind);
    if (whole !== undefined) return this.acceptWholeMessage(event, sessionId, whole, update);
    const read = asVersion1(update, this.isVersion2 && !this.tools.has(sessionId, update));
    const titled = this.tools.titled(sessionId, read);
    if (sessionId !== undefined) this.reportTurn(sessionId, titled);
    this.tell(event, describeUpdate(titled), sessionId);
  }

  private acceptChunk(event: WireMessage, sessionId: string, speaker: string, update: JsonObject): void {
    const messageId = textOf(update['messageId']);
    const text = contentText(update['content']);
    if (speaker === 'agent') this.acceptedTurns.begun(sessionId);
    this.messages.chunk(sessionId, messageId, text);
    this.chunks.add({ sessionId, speaker, messageId, text, receivedAt: event.t, raw: event.line });
  }

  private acceptTerminalOutput(event: WireMessage, sessionId: string, update: JsonObject): void {
    const messageId = textOf(update['terminalId']);
    const text = this.terminals.output(sessionId, update);
    this.chunks.add({ sessionId, speaker: 'terminal', messageId, text, receivedAt: event.t, raw: event.line });
  }

  /** What was told before, as chunks or as the prompt, is told again for those who look closely. */
  private acceptWholeMessage(
    event: WireMessage,
    sessionId: string | undefined,
    speaker: string,
    update: JsonObject,
  ): void {
    const { text, isKnown } = this.messages.whole(sessionId, update);
    const isPrompt = speaker === 'user' && sessionId !== undefined && this.acceptedTurns.isRunning(sessionId);
    if (speaker === 'agent' && sessionId !== undefined) this.acceptedTurns.begun(sessionId);
    const level = isKnown || isPrompt || speaker === 'thought' ? 'debug' : 'info';
    this.tell(event, { level, logger: speaker, message: text.trim() }, sessionId);
  }

  /** A turn of version 2 ends when its session is idle. */
  private acceptState(event: WireMessage, sessionId: string, update: JsonObject): void {
    const isIdle = update['state'] === 'idle';
    if (update['state'] === 'running') this.acceptedTurns.begun(sessionId);
    const ended = isIdle ? this.acceptedTurns.idle(sessionId, update) : [];
    for (const id of ended) {
      const request = this.requests.end('out', id, 'answered', event.t);
      if (!request) continue;
      this.closed(request);
      this.tell(event, describeTurnEnd(request, update, event.t - request.startedAt), sessionId);
    }
    if (ended.length === 0) this.tell(event, describeState(update), sessionId);
  }

  private reportTurn(sessionId: string, update: JsonObject): void {
    const change = this.turns.accept(sessionId, update);
    const request = change && this.requests.report('out', change.id, change.progress);
    if (request) this.sink.request({ type: 'progress', request });
  }

  protected override closed(request: OpenRequest): void {
    this.turns.end(request);
    this.acceptedTurns.end(request);
    super.closed(request);
  }
}
