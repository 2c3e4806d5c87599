import type { ByteChunk } from '../../log/byteChunk';
import type { RecordDraft } from '../../log/record';
import type { WireEvent, WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import { contentText } from '../contentText';
import type { ExchangeText } from '../exchangeText';
import { exchangeRecord } from '../exchangeText';
import type { Interpreter, InterpreterSink } from '../interpreter';
import type { JsonObject, RequestId } from '../json';
import { isObject, objectOf, requestIdOf, textOf } from '../json';
import type { JsonRpcMessage } from '../jsonRpc';
import { describeStray, junkRecord, readJsonRpc } from '../jsonRpc';
import { LifecycleReader } from '../lifecycleReader';
import type { LogLine } from '../logLine/logLine';
import { LogLineReader } from '../logLine/logLineReader';
import type { OpenRequest } from '../openRequests';
import { OpenRequests } from '../openRequests';
import { StderrGroups } from '../stderr/stderrGroups';
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
export class AcpInterpreter implements Interpreter {
  private readonly requests = new OpenRequests();
  private readonly chunks: TextChunks;
  private readonly stderr: StderrGroups;
  private readonly sessions: SessionIds;
  private readonly changes: SessionChanges;
  private readonly tools = new ToolTitles();
  private readonly turns = new TurnProgress();
  private readonly acceptedTurns = new Turns();
  private readonly terminals = new Terminals();
  private readonly messages = new WholeMessages();
  private readonly logLines = new LogLineReader(logForm);
  private isVersion2 = false;
  private readonly lifecycle: LifecycleReader;

  constructor(private readonly sink: InterpreterSink) {
    this.lifecycle = new LifecycleReader((draft) => sink.record(draft));
    this.chunks = new TextChunks((draft) => sink.record(draft));
    this.stderr = new StderrGroups((draft) => this.recordStderr(draft));
    this.changes = new SessionChanges(sink);
    this.sessions = new SessionIds((sessionId, at) => sink.session({ type: 'seen', sessionId, at }));
  }

  accept(event: WireEvent): void {
    // What a pause has completed stands before what comes after it, live and when it is read again.
    this.quiet(event.t);
    // A dump is written at once: what comes between is no part of it, and records stay in order.
    if (event.dir !== 'err') this.stderr.complete();
    switch (event.dir) {
      case 'ev':
        return this.acceptProcessEvent(event);
      case 'err':
        return this.stderr.add(event);
      default:
        for (const message of readJsonRpc(event, 'ACP has one JSON-RPC message to a line')) {
          this.acceptMessage(event, message);
        }
    }
  }

  readLog(chunk: ByteChunk, start: number, end: number, t: number): LogLine | undefined {
    return this.sink.lineRecord && this.logLines.read(chunk, start, end, t);
  }

  acceptLog(line: LogLine): void {
    this.quiet(line.receivedAt);
    this.stderr.complete();
    if (line.sessionId !== undefined) line.sessionId = this.sessions.file(line.sessionId, line.receivedAt);
    this.sink.lineRecord?.(line);
  }

  quiet(t: number): void {
    this.stderr.quiet(t);
    this.chunks.quiet(t);
  }

  get isWaiting(): boolean {
    return this.stderr.isWaiting || this.chunks.isWaiting;
  }

  private acceptProcessEvent(event: WireProcessEvent): void {
    this.chunks.completeAll();
    if (!this.lifecycle.accept(event)) return;
    for (const request of this.requests.takeAll()) {
      this.close(request);
      this.tell(
        request.sessionId,
        event.t,
        undefined,
        describeUnanswered(request, event.t - request.startedAt, this.lifecycle.askedToEnd),
      );
    }
  }

  private acceptMessage(event: WireMessage, message: JsonRpcMessage): void {
    switch (message.type) {
      case 'request':
        return this.acceptRequest(event, message.id, message.method, message.params);
      case 'notification':
        return this.acceptNotification(event, message.method, message.params);
      case 'response':
        return this.acceptResponse(event, message.fields);
      case 'junk':
        return this.sink.record(junkRecord(event, message.message));
    }
  }

  private acceptRequest(event: WireMessage, id: RequestId, method: string, params: unknown): void {
    const sessionId = this.sessions.of(objectOf(params), event.t);
    const request: OpenRequest = {
      id,
      method,
      direction: event.dir === 'c2a' ? 'out' : 'in',
      startedAt: event.t,
      ...(sessionId !== undefined && { sessionId }),
      noted: notedOf(method, params),
    };
    if (sessionId !== undefined) {
      if (method === 'session/prompt' || method === 'session/request_permission') this.chunks.complete(sessionId);
    }
    const displaced = this.requests.add(request);
    if (displaced) this.close(displaced);
    this.sink.request({ type: 'opened', request });
    this.turns.begin(request);
    this.acceptedTurns.begin(request);
    const text = describeRequest(request, params);
    if (text) this.tell(sessionId, event.t, event.line, text);
  }

  private acceptResponse(event: WireMessage, msg: JsonObject): void {
    const id = requestIdOf(msg['id']);
    const request = id === undefined ? undefined : this.requests.take(event.dir, id);
    const { error } = msg;
    if (!request) return this.sink.record(junkRecord(event, describeStray(msg, id ?? msg['id'])));
    const ms = event.t - request.startedAt;
    const turn = this.acceptedTurns.answer(request, msg['result'], this.isVersion2);
    if (turn === 'running') {
      this.requests.add(request); // its answer only says that it was accepted
      return this.tell(request.sessionId, event.t, event.line, acceptedText);
    }
    this.close(request);
    if (turn) return this.tell(request.sessionId, event.t, event.line, describeTurnEnd(request, turn, ms));
    if (error !== undefined && error !== null) {
      if (request.sessionId !== undefined) this.chunks.complete(request.sessionId);
      return this.tell(request.sessionId, event.t, event.line, describeError(request, error, ms));
    }
    this.acceptResult(event, request, msg['result'], ms);
  }

  private acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    const sessionId = this.sessionOfResult(request, objectOf(result), event.t);
    if (request.method === 'initialize') this.isVersion2 = objectOf(result)['protocolVersion'] === 2;
    if (sessionId !== undefined && request.method === 'session/prompt') this.chunks.complete(sessionId);
    this.tell(sessionId, event.t, event.line, describeResult(request, result, ms));
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

  private acceptNotification(event: WireMessage, method: string, params: unknown): void {
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
    this.tell(cancelled?.sessionId ?? sessionId, event.t, event.line, text);
  }

  /** A `$/cancel_request` belongs to the session of its request. */
  private requestNamedIn(event: WireMessage, params: unknown): OpenRequest | undefined {
    const id = requestIdOf(objectOf(params)['requestId']);
    return id === undefined ? undefined : this.requests.find(event.dir === 'c2a' ? 'out' : 'in', id);
  }

  /** A line that names one of the sessions belongs to it, and names it short. */
  private recordStderr(draft: RecordDraft): void {
    // The agent's complaint about our asking whether it can change its level is no news to anybody.
    const isOurs = draft.message.includes('logging/setLevel') && draft.message.includes('-32601');
    this.sink.record(this.sessions.attribute(isOurs ? { ...draft, level: 'debug' } : draft));
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
      return this.tell(sessionId, event.t, event.line, this.terminals.update(sessionId, update));
    }
    const whole = wholeSpeakerOf(kind);
    if (whole !== undefined) return this.acceptWholeMessage(event, sessionId, whole, update);
    const read = asVersion1(update, this.isVersion2 && !this.tools.has(sessionId, update));
    const titled = this.tools.titled(sessionId, read);
    if (sessionId !== undefined) this.reportTurn(sessionId, titled);
    this.tell(sessionId, event.t, event.line, describeUpdate(titled));
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
    this.tell(sessionId, event.t, event.line, { level, logger: speaker, message: text.trim() });
  }

  /** A turn of version 2 ends when its session is idle. */
  private acceptState(event: WireMessage, sessionId: string, update: JsonObject): void {
    const isIdle = update['state'] === 'idle';
    if (update['state'] === 'running') this.acceptedTurns.begun(sessionId);
    const ended = isIdle ? this.acceptedTurns.idle(sessionId, update) : [];
    for (const id of ended) {
      const request = this.requests.take('a2c', id);
      if (!request) continue;
      this.close(request);
      this.tell(sessionId, event.t, event.line, describeTurnEnd(request, update, event.t - request.startedAt));
    }
    if (ended.length === 0) this.tell(sessionId, event.t, event.line, describeState(update));
  }

  private reportTurn(sessionId: string, update: JsonObject): void {
    const change = this.turns.accept(sessionId, update);
    const request = change && this.requests.report('out', change.id, change.progress);
    if (request) this.sink.request({ type: 'progress', request });
  }

  private close(request: OpenRequest): void {
    this.turns.end(request);
    this.acceptedTurns.end(request);
    this.sink.request({ type: 'closed', request });
  }

  private tell(sessionId: string | undefined, receivedAt: number, raw: string | undefined, text: ExchangeText): void {
    this.sink.record(exchangeRecord(sessionId, receivedAt, raw, text));
  }
}
