import { boundedJson } from '../../text/boundedJson';
import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { WireEvent, WireMessage } from '../../wire/wireEvent';
import type { Interpreter, ReaderContext } from '../interpreter';
import { NdjsonLogInterpreter } from '../ndjson/ndjsonLogInterpreter';
import type { OtlpLog } from '../ndjson/otelLog';
import { isOtelLog, otelEvent, otlpLogsOf } from '../ndjson/otelLog';
import { chromeEventsOf, ChromeSpans, firstTime } from './chromeSpans';
import { sessionIn } from './genAi';
import type { TraceEvent } from './genAiEvent';
import { traceEventOf } from './genAiEvent';
import { joinedSpans } from './joinedSpans';
import { jaegerSpansOf } from './jaegerSpans';
import { sdkLogOf } from './sdkLog';
import type { Traces } from './spanWindow';
import { SpanWindow } from './spanWindow';
import type { TraceSpan } from './traceSpan';
import { isOtlpTrace, maxRaw, otlpSpans } from './traceSpan';
import type { TraceStep } from './traceTree';
import { stepsOf } from './traceTree';
import { TraceWriter } from './traceWriter';

/** How many steps to write after each line, and for each span that it had: faster than they come. */
const stepsForLine = 4;
const stepsForSpan = 4;
const maxDue = 1000;
const maxTraces = 10_000;

/**
 * Reads spans (OTLP/JSON, Chrome, Jaeger), and what log records say of them. Both come in any order, so they wait until the end of the
 * file, or until the window is full. Everything else in the file is read as a log.
 */
export class TraceInterpreter implements Interpreter {
  private readonly logs: NdjsonLogInterpreter;
  private readonly traces: TraceWriter;
  private readonly chrome = new ChromeSpans();
  private readonly window = new SpanWindow();
  /** The sessions that other log records of a trace name. */
  private readonly sessions = new BoundedMap<string, string>(maxTraces);
  /** What is yet to be written, of traces that have left the window. */
  private steps: readonly TraceStep[] = [];
  private written = 0;
  /** How many of them to write before the next line. */
  private due = 0;
  private empty = 0;
  /** What to add to times that count from a start, in milliseconds. */
  private shift: number | undefined;
  private last: WireMessage = { t: 0, dir: 'a2c', line: '' };

  constructor(context: ReaderContext) {
    this.logs = new NdjsonLogInterpreter(context);
    this.traces = new TraceWriter(context);
  }

  accept(event: WireEvent): void {
    if (event.dir !== 'a2c' || event.bytes !== undefined) return this.logs.accept(event);
    this.last = { t: event.t, dir: 'a2c', line: '' };
    const msg = event.msg ?? eventInList(event.line);
    if (msg === undefined) {
      if (/^[[\]]\s*,?$/.test(event.line.trim())) return; // The brackets of a list with an event to a line.
      return this.logs.accept(event);
    }
    const entries = Array.isArray(msg) ? arrayOf(msg) : [msg];
    for (const entry of entries) {
      if (isObject(entry) && this.add(entry, event)) continue;
      this.logs.accept(Array.isArray(msg) ? { ...this.last, line: boundedJson(entry), msg: entry } : event);
    }
    this.due = Math.min(this.due, maxDue) + stepsForLine;
    if (this.written === this.steps.length) this.begin(this.window.overflow());
  }

  quiet(t: number): void {
    this.logs.quiet(t);
    while (this.writeStep(true));
  }

  pause(t: number): void {
    this.logs.quiet(t);
  }

  finish(t: number): void {
    this.quiet(t);
    for (const event of this.chrome.takeOpen()) this.plain(event, 'never ended');
    this.traces.writer.endOfFile();
  }

  get isWaiting(): boolean {
    return this.logs.isWaiting || !this.window.isEmpty || this.written < this.steps.length || this.empty > 0;
  }

  writeStep(isEnd: boolean): boolean {
    if (this.written === this.steps.length && isEnd && !this.window.isEmpty) {
      this.begin(this.window.all());
      return true;
    }
    const step = this.steps[this.written];
    if (!step) return isEnd && this.noteEmpty();
    if (!isEnd && this.due === 0) return false;
    this.due = Math.max(0, this.due - 1);
    this.written++;
    this.traces.write(step);
    if (this.written === this.steps.length) {
      this.steps = [];
      this.written = 0;
    }
    return true;
  }

  /** Returns false if it is no span. */
  private add(entry: JsonObject, event: WireMessage): boolean {
    if (Object.keys(entry).length === 0) {
      this.empty++;
      return true;
    }
    const spans = isOtlpTrace(entry) ? otlpSpans(entry) : jaegerSpansOf(entry);
    if (spans) {
      for (const span of spans) this.hold(span);
      return true;
    }
    if ('scopeMetrics' in entry || 'resourceMetrics' in entry) {
      this.plain({ ...entry, name: 'metrics' }, 'only in the details');
      return true;
    }
    const sdk = sdkLogOf(entry);
    const logs = sdk ? [sdk] : logsIn(entry);
    if (logs.length > 0) return this.addLogs(logs, event, sdk !== undefined);
    const events = chromeEventsOf(entry);
    for (const one of events ?? []) {
      const span = this.chrome.read(one);
      if (typeof span === 'object') this.hold(span);
      else if (span === 'other') this.plain(one, undefined);
    }
    return events !== undefined;
  }

  /** Keeps the log records that are about the agent's work; the others are read as a log. Returns false if all are others. */
  private addLogs(logs: readonly OtlpLog[], event: WireMessage, isConverted: boolean): boolean {
    const others: OtlpLog[] = [];
    for (const log of logs) {
      const found = traceEventOf(log, event.t);
      if (found) this.holdEvent(found);
      else others.push(log);
    }
    for (const log of others) this.noteSession(log);
    if (others.length === logs.length && !isConverted) return false;
    for (const { record, resource, scope } of others) {
      const msg = { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }] };
      this.logs.accept({ ...this.last, line: logs.length === 1 ? event.line : boundedJson(record), msg });
    }
    return true;
  }

  private noteSession(log: OtlpLog): void {
    const { traceId, attributes } = otelEvent(log);
    const session = traceId === '' ? undefined : sessionIn(attributes);
    if (session !== undefined) this.sessions.set(traceId, session);
  }

  private hold(span: TraceSpan): void {
    this.due += stepsForSpan;
    this.window.span(span);
  }

  private holdEvent(event: TraceEvent): void {
    this.due += stepsForSpan;
    this.window.event(event);
  }

  /** An event of a Chrome trace without a duration. */
  private plain(event: JsonObject, what: string | undefined): void {
    const { writer } = this.traces;
    const raw = boundedJson(event, maxRaw);
    writer.beginIn({ t: this.last.t, dir: 'a2c', line: raw }, undefined, undefined);
    const name = textOf(event['name']) ?? 'event';
    writer.note({ level: 'debug', logger: 'event', message: `${name} (${what ?? `event ${String(event['ph'])}`})` });
  }

  private begin(traces: Traces | undefined): void {
    if (!traces) return;
    const { sessions } = this;
    const spans = joinedSpans(traces.spans, traces.events).map((span) => {
      const session = span.about.session ?? sessions.get(span.traceId);
      return session === span.about.session ? span : { ...span, about: { ...span.about, session } };
    });
    this.steps = stepsOf(this.dated(spans));
    this.written = 0;
  }

  /** Many programs count times from their start: the last span then ended when the file was written. */
  private dated(spans: readonly TraceSpan[]): readonly TraceSpan[] {
    const undated = spans.filter(({ startedAt }) => startedAt < firstTime);
    if (undated.length === 0) return spans;
    if (this.shift === undefined) {
      this.shift = this.last.t - undated.reduce((end, { endedAt }) => Math.max(end, endedAt), 0);
      const { writer } = this.traces;
      writer.beginIn(this.last, undefined, undefined);
      const message =
        "times count from the program's start; shown as if the trace ended when the file was last written";
      writer.note({ level: 'notice', logger: 'span', message });
    }
    const { shift } = this;
    return spans.map((span) =>
      span.startedAt < firstTime ? { ...span, startedAt: span.startedAt + shift, endedAt: span.endedAt + shift } : span,
    );
  }

  /** Returns false if there is nothing to say. */
  private noteEmpty(): boolean {
    if (this.empty === 0) return false;
    const { writer } = this.traces;
    writer.beginIn(this.last, undefined, undefined);
    const count = this.empty === 1 ? '1 empty span' : `${this.empty} empty spans`;
    this.empty = 0;
    writer.note({
      level: 'notice',
      logger: 'span',
      message: `${count} ({}): the program that wrote this file left out their content, as VS Code's file exporter does`,
    });
    return true;
  }
}

function logsIn(entry: JsonObject): readonly OtlpLog[] {
  const logs = otlpLogsOf(entry);
  if (logs) return logs;
  return isOtelLog(entry) ? [{ record: entry, resource: entry['resource'], scope: undefined }] : [];
}

/** An event in a list with one to a line: `{…},` */
function eventInList(line: string): unknown {
  const text = line
    .trim()
    .replace(/^\[/, '')
    .replace(/[,\]]$/, '');
  return text.startsWith('{') ? parsedJson(text) : undefined;
}
