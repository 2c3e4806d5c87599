import { boundedJson } from '../../text/boundedJson';
import type { RecordDraft } from '../../text/record';
import { oneLine } from '../../text/text';
import type { WireEvent, WireMessage } from '../../wire/wireEvent';
import { SessionIds } from '../sessionIds';
import { boundedData } from '../../text/cutJson';
import { boundedText } from '../boundedText';
import { describeTooLong, EventReader } from '../eventReader';
import type { ReaderContext } from '../interpreter';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, textOf } from '../../text/json';
import type { LogFields } from '../logFields/logFields';
import { readLogFields } from '../logFields/logFields';
import { StderrEntries } from '../stderr/stderrEntries';
import { isOtelLog, otlpLogsOf, readOtelLog } from './otelLog';

/** What loggers of agents call the session that an entry belongs to; the last two are attributes of OpenTelemetry. */
const sessionNames = [
  'sessionId',
  'session_id',
  'sessionID',
  'session.id',
  'gen_ai.conversation.id',
  'conversation.id',
];

/** How much is kept of one log record of the many in a line, in characters. */
const maxRaw = 16_384;

/**
 * Reads the log of any program: an entry to a line, as JSON (pino, bunyan, winston, zap, slog, log4j, ECS, OpenTelemetry) or as text.
 * Nothing is lost for being of no known form.
 */
export class NdjsonLogInterpreter extends EventReader {
  private readonly text: StderrEntries;
  private readonly sessions: SessionIds;

  constructor(context: ReaderContext) {
    super(context);
    const { sink } = context;
    this.sessions = new SessionIds((sessionId, at) => sink.session({ type: 'seen', sessionId, at }));
    // A log of text is read as standard error is: prefixes, logfmt, stack traces.
    this.text = new StderrEntries((_, draft) => this.earlier(this.sessions.attribute(logDraft(draft))));
  }

  override accept(event: WireEvent): void {
    if (event.dir === 'ev' || event.dir === 'err') this.text.complete();
    super.accept(event);
  }

  override quiet(t: number): void {
    super.quiet(t);
    this.text.quiet(t);
  }

  override get isWaiting(): boolean {
    return super.isWaiting || this.text.isWaiting;
  }

  protected override stderrRecord(draft: RecordDraft): RecordDraft {
    return this.sessions.attribute(draft);
  }

  protected override acceptLine(event: WireMessage): void {
    const { t, line } = event;
    if (event.msg === undefined && event.bytes === undefined) return this.text.add({ t, dir: 'err', line });
    this.text.complete();
    if (event.bytes !== undefined) {
      const message = describeTooLong(event);
      return this.sink.record({ receivedAt: event.t, level: 'warning', kind: 'log', message, raw: event.line });
    }
    const entries = Array.isArray(event.msg) ? arrayOf(event.msg) : [event.msg];
    const isShared = entries.length > 1;
    for (const entry of entries) this.acceptEntry(event, entry, isShared ? rawOf(entry) : event.line);
  }

  private acceptEntry(event: WireMessage, entry: unknown, raw: string): void {
    if (!isObject(entry)) {
      const message = boundedText(textOf(entry) ?? boundedJson(entry ?? null));
      return this.sink.record({ receivedAt: event.t, level: 'info', kind: 'log', message, raw });
    }
    const logs = otlpLogsOf(entry);
    if (logs) {
      for (const log of logs) this.record(event, readOtelLog(log), log.record, rawOf(log.record));
      return;
    }
    const alone = { record: entry, resource: undefined, scope: undefined };
    this.record(event, isOtelLog(entry) ? readOtelLog(alone) : readLogFields(entry), entry, raw);
  }

  private record(event: WireMessage, fields: LogFields, entry: JsonObject, raw: string): void {
    const { level = 'info', time, logger, message, data = {} } = fields;
    const named = sessionNames.find((name) => textOf(data[name]) !== undefined);
    const id = named === undefined ? undefined : textOf(data[named]);
    const sessionId = id === undefined ? undefined : this.sessions.file(id, event.t);
    const rest = Object.entries(data).filter(([name]) => name !== named);
    // An entry without a message says what it has to say by its fields.
    const told = message ?? boundedJson(rest.length === 0 ? entry : Object.fromEntries(rest));
    this.sink.record({
      receivedAt: cameAt(time, event.t),
      ...(time !== undefined && { time }),
      level,
      kind: 'log',
      ...(sessionId !== undefined && { sessionId }),
      ...(logger !== undefined && { logger: oneLine(logger, 100) }),
      message: boundedText(told),
      ...(message !== undefined && rest.length > 0 && { data: boundedData(Object.fromEntries(rest)) }),
      raw,
    });
  }
}

/** Before this no log was written that is read now: the numbers of such times count from a start. The year 2000. */
const firstTime = 946_684_800_000;

/** When an entry came: a file only has the entry's own time for that. */
function cameAt(time: number | undefined, readAt: number): number {
  return time !== undefined && time >= firstTime ? time : readAt;
}

function logDraft(draft: RecordDraft): RecordDraft {
  const data = draft.data === undefined ? {} : { data: boundedData(draft.data) };
  return {
    ...draft,
    receivedAt: cameAt(draft.time, draft.receivedAt),
    kind: 'log',
    message: boundedText(draft.message),
    ...data,
  };
}

/** Each record keeps its own part of the line, so that the line is not kept hundreds of times. */
function rawOf(record: unknown): string {
  return boundedJson(record, maxRaw);
}
