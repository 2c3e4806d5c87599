import { boundedJson } from '../../log/boundedJson';
import type { RecordDraft } from '../../log/record';
import { cut, oneLine } from '../../log/text';
import type { WireEvent, WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import { SessionIds } from '../acp/sessionIds';
import { TextChunks } from '../acp/textChunks';
import { batchOf, describeLeft } from '../batch';
import { BoundedMap } from '../boundedMap';
import { boundedText, maxText } from '../boundedText';
import type { Fact, JunkFact } from '../facts';
import { factOf } from '../facts';
import type { Interpreter, InterpreterSink } from '../interpreter';
import type { JsonObject } from '../json';
import { isObject, objectOf, textOf } from '../json';
import { LifecycleReader } from '../lifecycleReader';
import { Requests } from '../jsonrpc/requests';
import { contentTextOf } from '../activity/toolOutput';
import { timeOf } from '../logFields/timeOf';
import { StderrGroups } from '../stderr/stderrGroups';
import { readStderrLine } from '../stderr/stderrLine';
import type { Dialect } from './dialect';
import { likelyDialect, recogniseDialect } from './dialects';
import type { EventText } from './eventText';
import type { StreamEvent, StreamState, WriterSink } from './eventWriter';
import { EventWriter } from './eventWriter';
import { Interrupts } from './interrupts';
import { streamSessionId } from './streamSessionId';
import { StreamTurns } from './streamTurns';
import { ToolCalls } from './toolCalls';
import { readUnknownEvent } from './unknownEvent';

const maxQuestions = 100;

/**
 * Reads the JSON stream of an agent's command line: one event to a line, in the agent's own dialect, which the first event that is
 * unmistakable tells. What is not such an event is kept as it is.
 */
export class StreamJsonInterpreter implements Interpreter {
  private readonly state: StreamState;
  /** Of events in no known dialect, which are read for their facts alone. */
  private readonly factsOnly: StreamState;
  private readonly stderr: StderrGroups;
  private readonly sessions: SessionIds;
  private readonly factSink: WriterSink;
  private readonly recordSink: WriterSink;
  private dialect: Dialect | undefined;
  /** The session that events without an id belong to: only the first ones name it in Codex and Gemini. */
  private session: string | undefined;
  private readonly lifecycle: LifecycleReader;

  constructor(private readonly sink: InterpreterSink) {
    this.lifecycle = new LifecycleReader((draft) => sink.record(draft));
    this.stderr = new StderrGroups((draft) => sink.record(this.sessions.attribute(draft)));
    this.sessions = new SessionIds((sessionId, at) => sink.session({ type: 'seen', sessionId, at }));
    const turns = new StreamTurns((fact) => this.fact(fact));
    const whole = (draft: RecordDraft): void => sink.record(this.joined(draft));
    const partial = (draft: RecordDraft): void => sink.record({ ...this.joined(draft), level: 'debug' });
    this.state = newState(turns, whole, partial);
    this.factsOnly = newState(turns, ignore, ignore);
    this.factSink = { record: ignore, session: ignore, request: ignore, fact: (fact) => this.fact(fact) };
    this.recordSink = {
      record: (draft) => sink.record(draft),
      session: (change) => sink.session(change),
      request: (change) => sink.request(change),
    };
  }

  accept(event: WireEvent): void {
    // What a pause has completed stands before what comes after it, live and when it is read again.
    this.quiet(event.t);
    // A dump is written at once: what comes between is no part of it, and records stay in order.
    if (event.dir !== 'err') this.stderr.complete();
    switch (event.dir) {
      case 'ev':
        this.acceptProcessEvent(event);
        return this.fact(factOf(event));
      case 'err':
        this.stderr.add(event);
        return this.fact(factOf(event));
      default:
        return this.acceptLine(event);
    }
  }

  quiet(t: number): void {
    this.stderr.quiet(t);
    this.state.messages.quiet(t);
    this.state.partials.quiet(t);
  }

  get isWaiting(): boolean {
    return this.stderr.isWaiting || this.state.messages.isWaiting || this.state.partials.isWaiting;
  }

  private acceptProcessEvent(event: WireProcessEvent): void {
    this.state.messages.completeAll();
    this.state.partials.completeAll();
    if (!this.lifecycle.accept(event)) return;
    this.state.turns.clear();
    for (const request of this.state.requests.takeAll()) this.sink.request({ type: 'closed', request });
    for (const { title, sessionId } of this.state.tools.endAll()) {
      this.sink.record({
        receivedAt: event.t,
        level: this.lifecycle.askedToEnd ? 'info' : 'warning',
        kind: 'activity',
        ...(sessionId !== undefined && { sessionId }),
        logger: 'tool',
        message: `${title} (was not finished before the end)`,
      });
    }
  }

  private acceptLine(event: WireMessage): void {
    if (event.bytes !== undefined) {
      this.junk(event, 'too-long');
      const message = `a line of ${event.bytes} bytes is too long to be read; it begins: ${oneLine(event.line, 200)}`;
      return this.keep(event, { level: 'warning', message });
    }
    if (event.msg === undefined) {
      this.junk(event, 'not-json');
      if (event.line.trim() === '') return;
      const { level = 'info', time, logger, message } = readStderrLine(event.line);
      return this.keep(event, {
        level,
        ...(time !== undefined && { time }),
        ...(logger !== undefined && { logger }),
        message,
      });
    }
    const batch = batchOf(event);
    if (!batch) return this.acceptMessage(event);
    this.junk(event, 'batch');
    for (const message of batch.messages) this.acceptMessage(message);
    if (batch.left > 0) this.keep(event, { level: 'warning', message: describeLeft(batch.left) });
  }

  private acceptMessage(event: WireMessage): void {
    const { msg } = event;
    if (isObject(msg)) return this.acceptEvent(event, msg);
    this.junk(event, 'no-message');
    this.keep(event, { level: 'info', message: boundedJson(msg, 2000) });
  }

  private acceptEvent(event: WireMessage, msg: JsonObject): void {
    this.state.hasInput ||= event.dir === 'c2a';
    this.dialect = recogniseDialect(msg) ?? this.dialect;
    const sessionId = this.sessionOf(event, msg);
    this.fact({ type: 'object', event, dir: event.dir, msg, sessionId });
    const { t: receivedAt, line } = event;
    const about = { event, receivedAt, time: timeOf(msg['timestamp']), line, sessionId, isInput: event.dir === 'c2a' };
    if (event.dir === 'c2a' && msg['type'] === 'user') {
      this.state.turns.prompted(about, contentTextOf(objectOf(msg['message'])['content']) ?? '');
    }
    if (this.dialect && textOf(msg['type']) !== undefined) {
      this.dialect.read(msg, new EventWriter(about, this.state, this.sink));
    } else this.acceptUnknown(msg, about);
    this.state.turns.heard(sessionId, receivedAt);
  }

  /** It is recorded as it is, and its facts are those of the dialect that it could be in. */
  private acceptUnknown(msg: JsonObject, about: StreamEvent): void {
    const likely = likelyDialect(msg);
    likely?.read(msg, new EventWriter(about, this.factsOnly, this.factSink));
    readUnknownEvent(msg, new EventWriter(about, this.state, likely ? this.recordSink : this.sink));
  }

  /** Only the agent names a session: what a client writes may be any id (the Agent SDK for Python writes `default`). */
  private sessionOf({ dir, t }: WireMessage, msg: JsonObject): string | undefined {
    const id = dir === 'a2c' ? streamSessionId(msg) : undefined;
    if (id !== undefined) this.session = this.sessions.file(id, t);
    return this.session;
  }

  /** A message that was put together, without a session where it has none. */
  private joined(draft: RecordDraft): RecordDraft {
    const { sessionId = '', ...rest } = draft;
    const time = this.state.pieceTimes.get(sessionId);
    this.state.pieceTimes.delete(sessionId);
    return {
      ...rest,
      ...(time !== undefined && { time }),
      ...(sessionId !== '' && { sessionId }),
      // The note of how much there was in all is left where it is there.
      message: cut(draft.message, maxText + 100),
    };
  }

  private junk(event: WireMessage, why: JunkFact['why']): void {
    this.fact({ type: 'junk', event, dir: event.dir, why });
  }

  private fact(fact: Fact): void {
    this.sink.fact?.(fact);
  }

  /** A line that is no event of the stream. */
  private keep(event: WireMessage, { level, time, logger, message }: EventText): void {
    this.sink.record({
      receivedAt: event.t,
      ...(time !== undefined && { time }),
      kind: 'activity',
      logger: oneLine(logger ?? (event.dir === 'a2c' ? 'stdout' : 'stdin'), 100),
      level,
      message: boundedText(message),
      raw: event.line,
    });
  }
}

function newState(
  turns: StreamTurns,
  whole: (draft: RecordDraft) => void,
  partial: (draft: RecordDraft) => void,
): StreamState {
  return {
    tools: new ToolCalls(),
    messages: new TextChunks(whole, maxText),
    partials: new TextChunks(partial, maxText),
    pieceTimes: new Map(),
    requests: new Requests(),
    questions: new BoundedMap(maxQuestions),
    titled: new Set(),
    interrupts: new Interrupts(),
    turns,
    reportedError: undefined,
    usage: undefined,
    hasSpoken: false,
    hasInput: false,
  };
}

function ignore(): void {
  // Its facts are all that is wanted.
}
