import { boundedJson } from '../../log/boundedJson';
import { duration, oneLine } from '../../log/text';
import type { Level } from '../../log/level';
import type { RecordDraft } from '../../log/record';
import type { WireEvent, WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { Interpreter, InterpreterSink } from '../interpreter';
import type { JsonObject, RequestId } from '../json';
import { arrayOf, isObject, objectOf, requestIdOf, textOf } from '../json';
import { lifecycleRecord } from '../lifecycle';
import type { OpenRequest } from '../openRequests';
import { OpenRequests } from '../openRequests';
import { StderrGroups } from '../stderr/stderrGroups';
import type { ExchangeText } from './exchange';
import { describeError, describeRequest, describeResult, describeUnanswered, notedOf, withShortId } from './exchange';
import { isLogMethod, logRecord } from './logMessage';
import { noticeRecord } from './notice';
import { sessionEndedMethod, sessionTermination, terminationRecord } from './sessionEnded';
import { SessionIds } from './sessionIds';
import { contentText, describeUpdate, interruptsMessage, speakerOf } from './sessionUpdate';
import { TextChunks } from './textChunks';
import { ToolTitles } from './toolTitles';

/** Reads the Agent Client Protocol, version 1 (agentclientprotocol.com), and what is known of version 2's drafts. */
export class AcpInterpreter implements Interpreter {
  private readonly requests = new OpenRequests();
  private readonly chunks: TextChunks;
  private readonly stderr: StderrGroups;
  private readonly sessions: SessionIds;
  private readonly tools = new ToolTitles();
  private askedToEnd = false;

  constructor(private readonly sink: InterpreterSink) {
    this.chunks = new TextChunks((draft) => sink.record(draft));
    this.stderr = new StderrGroups((draft) => this.recordStderr(draft));
    this.sessions = new SessionIds((sessionId, at) => sink.session({ type: 'seen', sessionId, at }));
  }

  accept(event: WireEvent): void {
    // A dump is written at once: what comes between is no part of it, and records stay in order.
    if (event.dir !== 'err') this.stderr.complete();
    switch (event.dir) {
      case 'ev':
        return this.acceptProcessEvent(event);
      case 'err':
        return this.stderr.add(event);
      default:
        return this.acceptLine(event);
    }
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
    if (event.ev === 'stdin-close' || event.ev === 'signal') this.askedToEnd = true;
    this.sink.record(lifecycleRecord(event, this.askedToEnd));
    if (event.ev !== 'exit') return;
    for (const request of this.requests.takeAll()) {
      this.sink.request({ type: 'closed', request });
      this.tell(
        request.sessionId,
        event.t,
        undefined,
        describeUnanswered(request, event.t - request.startedAt, this.askedToEnd),
      );
    }
  }

  private acceptLine(event: WireMessage): void {
    if (event.bytes !== undefined) {
      const message = `a line of ${event.bytes} bytes is too long to be read; it begins: ${oneLine(event.line, 200)}`;
      return this.junk(event, message);
    }
    if (event.msg === undefined) {
      return this.junk(event, `not JSON, where ACP has one JSON-RPC message to a line: ${event.line}`);
    }
    for (const msg of Array.isArray(event.msg) ? arrayOf(event.msg) : [event.msg]) this.acceptMessage(event, msg);
  }

  private acceptMessage(event: WireMessage, msg: unknown): void {
    if (!isObject(msg)) return this.junk(event, `not a JSON-RPC message: ${boundedJson(msg, 2000)}`);
    const method = textOf(msg['method']);
    if (method !== undefined) {
      const id = requestIdOf(msg['id']);
      if (id !== undefined) this.acceptRequest(event, id, method, msg['params']);
      else this.acceptNotification(event, method, msg['params']);
    } else if ('result' in msg || 'error' in msg || 'id' in msg) this.acceptResponse(event, msg);
    else this.junk(event, `not a JSON-RPC message: ${boundedJson(msg, 2000)}`);
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
    if (displaced) this.sink.request({ type: 'closed', request: displaced });
    this.sink.request({ type: 'opened', request });
    const text = describeRequest(request, params);
    if (text) this.tell(sessionId, event.t, event.line, text);
  }

  private acceptResponse(event: WireMessage, msg: JsonObject): void {
    const id = requestIdOf(msg['id']);
    const request = id === undefined ? undefined : this.requests.take(event.dir, id);
    const { error } = msg;
    if (!request) {
      if (event.dir === 'c2a') return; // our answer to a request that was forgotten, of too many

      const what =
        error === undefined
          ? 'an answer'
          : `an error (${oneLine(textOf(objectOf(error)['message']) ?? boundedJson(error), 300)})`;
      return this.junk(event, `${what} to no open request (id ${boundedJson(msg['id'] ?? null, 60)})`);
    }
    this.sink.request({ type: 'closed', request });
    const ms = event.t - request.startedAt;
    if (error !== undefined && error !== null) {
      if (request.sessionId !== undefined) this.chunks.complete(request.sessionId);
      return this.tell(request.sessionId, event.t, event.line, describeError(request, error, ms));
    }
    this.acceptResult(event, request, msg['result'], ms);
  }

  private acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    const sessionId = request.sessionId ?? this.sessions.of(objectOf(result), event.t);
    if (sessionId !== undefined && request.method === 'session/prompt') this.chunks.complete(sessionId);
    this.tell(sessionId, event.t, event.line, describeResult(request, result, ms));
    if (sessionId === undefined || request.direction === 'in') return;
    this.acceptModes(sessionId, objectOf(result)['modes']);
    if (request.method === 'session/set_mode') this.changeMode(sessionId, objectOf(request.noted)['modeId']);
    if (request.method === 'session/close' || request.method === 'session/delete') {
      this.sink.session({ type: 'ended', sessionId, at: event.t });
    }
  }

  private acceptNotification(event: WireMessage, method: string, params: unknown): void {
    if (event.dir === 'a2c' && isLogMethod(method)) {
      const draft = logRecord(params, event.t, event.line);
      if (draft.sessionId === undefined) return this.sink.record(draft);
      return this.sink.record({ ...draft, sessionId: this.sessions.file(draft.sessionId, event.t) });
    }
    const sessionId = this.sessions.of(objectOf(params), event.t);
    if (event.dir === 'a2c' && method === sessionEndedMethod) return this.acceptSessionEnd(event, sessionId, params);
    if (event.dir === 'a2c' && method === 'session/update' && isObject(objectOf(params)['update'])) {
      return this.acceptUpdate(event, sessionId, objectOf(objectOf(params)['update']));
    }
    if (sessionId !== undefined && method === 'session/cancel') this.chunks.complete(sessionId);
    this.tell(
      this.sessionOfCancel(event, method, params) ?? sessionId,
      event.t,
      event.line,
      this.describeNotification(event, method, params),
    );
  }

  /** A `$/cancel_request` belongs to the session of its request. */
  private sessionOfCancel(event: WireMessage, method: string, params: unknown): string | undefined {
    const id = method === '$/cancel_request' ? requestIdOf(objectOf(params)['requestId']) : undefined;
    return id === undefined ? undefined : this.requests.find(event.dir === 'c2a' ? 'out' : 'in', id)?.sessionId;
  }

  /** A line that names one of the sessions belongs to it, and names it short. */
  private recordStderr(draft: RecordDraft): void {
    // The agent's complaint about our asking whether it can change its level is no news to anybody.
    const isOurs = draft.message.includes('logging/setLevel') && draft.message.includes('-32601');
    this.sink.record(this.sessions.attribute(isOurs ? { ...draft, level: 'debug' } : draft));
  }

  private describeNotification(event: WireMessage, method: string, params: unknown): ExchangeText {
    if (method === 'session/cancel') return { level: 'info', logger: 'turn', message: 'cancel asked for' };
    if (method === '$/cancel_request') {
      const id = requestIdOf(objectOf(params)['requestId']);
      const request = id === undefined ? undefined : this.requests.find(event.dir === 'c2a' ? 'out' : 'in', id);
      const what = request
        ? `${request.method}, open for ${duration(event.t - request.startedAt)}`
        : `request ${String(id)}`;
      return { level: 'info', logger: '$/cancel_request', message: `cancel asked for: ${what}` };
    }
    return { level: 'info', logger: method, message: withShortId(boundedJson(params ?? null, 2000), params) };
  }

  private acceptSessionEnd(event: WireMessage, sessionId: string | undefined, params: unknown): void {
    if (sessionId !== undefined) {
      this.chunks.complete(sessionId);
      this.sink.session({ type: 'ended', sessionId, at: event.t });
    }
    this.sink.record(terminationRecord(sessionTermination(params), sessionId, event.t, event.line));
  }

  private acceptUpdate(event: WireMessage, sessionId: string | undefined, update: JsonObject): void {
    const kind = textOf(update['sessionUpdate']);
    const speaker = speakerOf(kind);
    if (speaker !== undefined && sessionId !== undefined) {
      const messageId = textOf(update['messageId']);
      const text = contentText(update['content']);
      return this.chunks.add({ sessionId, speaker, messageId, text, receivedAt: event.t, raw: event.line });
    }
    if (sessionId !== undefined && interruptsMessage(kind)) this.chunks.complete(sessionId);
    if (kind === 'notice') return this.sink.record(noticeRecord(update, sessionId, event.t, event.line));
    if (sessionId !== undefined) {
      if (kind === 'session_info_update' && 'title' in update) {
        this.sink.session({ type: 'titled', sessionId, title: textOf(update['title']) });
      }
      if (kind === 'current_mode_update') this.changeMode(sessionId, update['currentModeId']);
    }
    this.tell(sessionId, event.t, event.line, describeUpdate(this.tools.titled(update)));
  }

  private acceptModes(sessionId: string, modes: unknown): void {
    const current = textOf(objectOf(modes)['currentModeId']);
    if (current === undefined) return;
    const available = arrayOf(objectOf(modes)['availableModes']).flatMap((mode) => {
      const id = textOf(objectOf(mode)['id']);
      return id === undefined ? [] : [{ id, name: textOf(objectOf(mode)['name']) ?? id }];
    });
    this.sink.session({ type: 'modes', sessionId, current, available });
  }

  private changeMode(sessionId: string, modeId: unknown): void {
    const current = textOf(modeId);
    if (current !== undefined) this.sink.session({ type: 'modes', sessionId, current });
  }

  /** What crossed though ACP has no place for it: kept, and said to be so. */
  private junk(event: WireMessage, message: string): void {
    const level: Level = event.dir === 'a2c' ? 'warning' : 'info';
    this.sink.record({
      receivedAt: event.t,
      level,
      kind: 'activity',
      logger: event.dir === 'a2c' ? 'stdout' : 'stdin',
      message,
      raw: event.line,
    });
  }

  private tell(sessionId: string | undefined, receivedAt: number, raw: string | undefined, text: ExchangeText): void {
    const { kind = 'activity', ...fields } = text;
    this.sink.record({
      receivedAt,
      kind,
      ...(sessionId !== undefined && { sessionId }),
      ...fields,
      ...(raw !== undefined && { raw }),
    });
  }
}
