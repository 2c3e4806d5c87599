import { boundedJson } from '../../log/boundedJson';
import type { RecordDraft } from '../../log/record';
import { cut, oneLine } from '../../log/text';
import type { WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import { SessionIds } from '../sessionIds';
import { batchOf, describeLeft, describeTooLong, EventReader } from '../eventReader';
import { boundedText, maxText } from '../boundedData';
import type { JunkFact } from '../../work/facts';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject } from '../../log/json';
import { isObject, objectOf, textOf, textsOf } from '../../log/json';
import { contentTextOf } from '../../work/toolOutput';
import { timeOf } from '../logFields/timeOf';
import { readStderrLine } from '../stderr/stderrLine';
import type { AgentStream } from './agentStream';
import { likelyStream, recogniseStream } from '../../agents/agents';
import type { EventText } from './eventText';
import type { WriterSink } from './eventWriter';
import { EventWriter } from './eventWriter';
import { StreamState } from './streamState';
import type { StreamLine } from './streamTurns';
import { StreamTurns } from './streamTurns';
import { readUnknownEvent } from './unknownEvent';

/** Field names for the session ID. */
const sessionIdNames = ['session_id', 'sessionID', 'sessionId', 'thread_id'];

/**
 * Reads the JSON stream of a command-line agent, one event per line. The first unambiguous event determines the dialect. Other lines are kept unchanged.
 */
export class StreamJsonInterpreter extends EventReader {
  private readonly state: StreamState;
  /** State for events in unknown dialects, of which only the facts are used. */
  private readonly factsOnly: StreamState;
  private readonly sessions: SessionIds;
  private readonly factSink: WriterSink;
  private readonly recordSink: WriterSink;
  private stream: AgentStream | undefined;
  /** The session of events without an ID: in Codex and Gemini, only the first events have one. */
  private session: string | undefined;

  constructor(sink: InterpreterSink) {
    super(sink);
    this.sessions = new SessionIds((sessionId, at) => sink.session({ type: 'seen', sessionId, at }));
    const turns = new StreamTurns((fact) => this.activity(fact));
    this.state = new StreamState(turns, this.work, (draft) => sink.record(this.joined(draft)));
    this.factsOnly = new StreamState(turns, this.work, ignore);
    this.factSink = { record: ignore, session: ignore, request: ignore, fact: (fact) => sink.fact?.(fact) };
    this.recordSink = {
      record: (draft) => sink.record(draft),
      session: (change) => sink.session(change),
      request: (change) => sink.request(change),
    };
  }

  override quiet(t: number): void {
    super.quiet(t);
    this.state.messages.quiet(t);
  }

  override get isWaiting(): boolean {
    return super.isWaiting || this.state.messages.isWaiting;
  }

  protected override stderrRecord(draft: RecordDraft): RecordDraft {
    return this.sessions.attribute(draft);
  }

  protected override acceptConnectionEvent(): boolean {
    this.state.messages.completeAll();
    return false;
  }

  protected override acceptEnd(event: WireProcessEvent): void {
    this.state.turns.clear();
    for (const request of this.state.requests.takeAll()) this.sink.request({ type: 'closed', request });
    for (const { title, sessionId } of this.work.tools.open) {
      this.sink.record({
        receivedAt: event.t,
        level: this.askedToEnd ? 'info' : 'warning',
        kind: 'activity',
        ...(sessionId !== '' && { sessionId }),
        logger: 'tool',
        message: `${oneLine(title, 200)} (was not finished before the end)`,
      });
    }
  }

  protected override acceptLine(event: WireMessage): void {
    if (event.bytes !== undefined) {
      this.junk(event, 'too-long');
      return this.keep(event, { level: 'warning', message: describeTooLong(event) });
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
    this.stream = recogniseStream(msg)?.form ?? this.stream;
    const sessionId = this.sessionOf(event, msg);
    this.fact({ type: 'object', event, dir: event.dir, msg, sessionId });
    const line = { event, time: timeOf(msg['timestamp']), sessionId };
    if (event.dir === 'c2a' && msg['type'] === 'user') {
      this.state.turns.prompted(line, contentTextOf(objectOf(msg['message'])['content']) ?? '');
    }
    if (this.stream && textOf(msg['type']) !== undefined) {
      this.stream.read(msg, new EventWriter(line, this.state, this.sink));
    } else this.acceptUnknown(msg, line);
    this.state.turns.heard(sessionId, event.t);
  }

  /** Records an unknown event unchanged, with the facts of the dialect it could be in. */
  private acceptUnknown(msg: JsonObject, line: StreamLine): void {
    const likely = likelyStream(msg);
    likely?.read(msg, new EventWriter(line, this.factsOnly, this.factSink));
    readUnknownEvent(msg, new EventWriter(line, this.state, likely ? this.recordSink : this.sink));
  }

  /** Only the agent's session IDs count: clients may send anything (the Agent SDK for Python sends `default`). */
  private sessionOf({ dir, t }: WireMessage, msg: JsonObject): string | undefined {
    const [id] = dir === 'a2c' ? textsOf(...sessionIdNames.map((name) => msg[name])) : [];
    if (id !== undefined) this.session = this.sessions.file(id, t);
    return this.session;
  }

  /** A joined message, without an empty session ID. */
  private joined(draft: RecordDraft): RecordDraft {
    const { sessionId = '', ...rest } = draft;
    const time = this.state.pieceTimes.get(sessionId);
    this.state.pieceTimes.delete(sessionId);
    return {
      ...rest,
      ...(time !== undefined && { time }),
      ...(sessionId !== '' && { sessionId }),
      // Leaves room for the note about the full length.
      message: cut(draft.message, maxText + 100),
    };
  }

  private junk(event: WireMessage, why: JunkFact['why']): void {
    this.fact({ type: 'junk', event, dir: event.dir, why });
  }

  /** Records a line that isn't an event of the stream. */
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

function ignore(): void {
  // Only its facts are used.
}
