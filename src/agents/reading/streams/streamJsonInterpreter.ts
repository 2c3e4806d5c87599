import { boundedJson } from '../../../text/boundedJson';
import type { RecordDraft } from '../../../text/record';
import { oneLine } from '../../../text/text';
import type { WireMessage, WireProcessEvent, WireStderr } from '../../../wire/wireEvent';
import { batchOf, describeLeft, describeTooLong, EventReader } from '../../../protocols/eventReader';
import { boundedText } from '../../../protocols/boundedText';
import type { JunkFact } from '../../../work/facts';
import type { ReaderContext } from '../../../protocols/interpreter';
import type { JsonObject } from '../../../text/json';
import { isObject, objectOf, textOf, textsOf } from '../../../text/json';
import { contentTextOf } from '../../../work/tools/contentText';
import type { AgentReader } from '../../../protocols/agentWriter/agentReader';
import { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { EventText } from '../../../protocols/agentWriter/verbs';
import { ofStream } from '../../../protocols/agentWriter/verbs';
import { savedTime } from '../saved/savedTime';
import { readStderrLine } from '../../../protocols/stderr/stderrLine';
import type { AgentStream } from './agentStream';
import { likelyStream, recogniseStream } from '../../agents';
import { readUnknownEvent, unknownText } from './unknownEvent';

/** Field names for the session ID. */
const usualSessionIdNames = ['session_id', 'sessionID', 'sessionId', 'thread_id'];
/** How long the end of a turn may be continued by a later line, in milliseconds. */
const maxPause = 2000;

/**
 * Reads the JSON stream of a command-line agent, one event per line. The first unambiguous event determines the dialect. Other lines are kept unchanged.
 */
export class StreamJsonInterpreter extends EventReader {
  private readonly writer: AgentWriter;
  private readonly readers = new Map<AgentStream, AgentReader>();
  private recognized: ReturnType<typeof recogniseStream>;

  constructor(context: ReaderContext) {
    super(context);
    this.writer = new AgentWriter(context, ofStream);
  }

  override quiet(t: number): void {
    super.quiet(t);
    this.writer.quiet(t);
    if (t - this.writer.place.event.t > maxPause) this.writer.settle();
  }

  finish(t: number): void {
    this.quiet(t);
    this.writer.settle();
  }

  override get isWaiting(): boolean {
    return super.isWaiting || this.writer.isWaiting;
  }

  protected override acceptStderr(event: WireStderr): void {
    const { writer } = this;
    const { t, line } = event;
    const reader = this.recognized && this.readers.get(this.recognized.form);
    if (!reader?.readStderr) return super.acceptStderr(event);
    writer.begin({ t, dir: 'a2c', line }, undefined);
    if (!reader.readStderr(line, writer)) return super.acceptStderr(event);
    this.stderr.complete();
    writer.note({ level: 'debug', kind: 'stderr', logger: 'tool', content: 'output', message: line });
  }

  protected override stderrRecord(draft: RecordDraft): RecordDraft {
    return this.writer.sessions.attribute(draft);
  }

  protected override acceptConnectionEvent(): boolean {
    this.writer.quiet();
    this.writer.settle();
    return false;
  }

  protected override acceptEnd(event: WireProcessEvent): void {
    this.writer.settle();
    this.writer.endOfProcess(event.t, this.askedToEnd ? 'info' : 'warning');
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
    const { writer } = this;
    const { t, dir } = event;
    this.recognized = recogniseStream(msg, this.recognized?.id) ?? this.recognized;
    const stream = this.recognized?.form;
    const { policy = ofStream, sessionIdNames = usualSessionIdNames } = stream ?? {};
    writer.policy = policy;
    writer.begin(event, savedTime(msg));
    // Only the agent's session IDs count: clients may send anything (the Agent SDK for Python sends `default`).
    const [id] = dir === 'a2c' ? textsOf(...sessionIdNames.map((name) => msg[name])) : [];
    if (id !== undefined) writer.in({ id });
    const { sessionId } = writer.place;
    this.say({ type: 'object', event, dir, msg, sessionId });
    if (dir === 'c2a' && msg['type'] === 'user') {
      writer.turns.prompted(writer.place, contentTextOf(objectOf(msg['message'])['content']) ?? '');
    }
    const isEvent = textOf(msg['type']) !== undefined || stream?.resembles(msg) === true;
    const likely = stream && isEvent ? stream : likelyStream(msg);
    if (!likely) readUnknownEvent(msg, writer);
    else {
      this.readerOf(likely).read(msg, writer);
      // It may be another agent's after all.
      if (likely !== stream && !writer.hasNoted) writer.note(unknownText(msg, writer.isInput));
    }
    this.work.heard(sessionId, t);
  }

  /** What it learns from events that only could be the agent's counts later, too. */
  private readerOf(stream: AgentStream): AgentReader {
    const reader = this.readers.get(stream) ?? stream.reader();
    this.readers.set(stream, reader);
    return reader;
  }

  private junk(event: WireMessage, why: JunkFact['why']): void {
    this.say({ type: 'junk', event, dir: event.dir, why });
  }

  /** Records a line that isn't an event of the stream. */
  private keep(event: WireMessage, { level, time, logger, message }: EventText): void {
    this.sink.record({
      receivedAt: event.t,
      ...(time !== undefined && { time }),
      kind: 'activity',
      logger: oneLine(logger ?? (event.dir === 'a2c' ? 'stdout' : 'stdin'), 100),
      content: 'output',
      level,
      message: boundedText(message),
      raw: event.line,
    });
  }
}
