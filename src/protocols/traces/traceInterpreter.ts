import type { JsonObject } from '../../log/json';
import { arrayOf, isObject, objectOf, textOf } from '../../log/json';
import { parsedJson } from '../../log/jsonText';
import { boundedJson } from '../../log/boundedJson';
import type { WireEvent, WireMessage } from '../../wire/wireEvent';
import type { Interpreter, InterpreterSink } from '../interpreter';
import { NdjsonLogInterpreter } from '../ndjson/ndjsonLogInterpreter';
import type { TraceSpan } from './traceSpan';
import { chromeEventsOf, ChromeSpans, isOtlpTrace, maxRaw, otlpSpans } from './traceSpan';
import { stepsOf } from './traceTree';
import { TraceWriter } from './traceWriter';

/** Spans are put in order within a window of this many, or this many characters. */
const maxSpans = 10_000;
const maxChars = 16 * 1024 * 1024;

/**
 * Reads the spans of OpenTelemetry (OTLP/JSON) and of Chrome traces, which come in any order. Spans wait until the end of the file, or until the
 * window is full: then the traces that had no span for the longest time are written. Everything else in the file is read as a log.
 */
export class TraceInterpreter implements Interpreter {
  private readonly logs: NdjsonLogInterpreter;
  private readonly traces: TraceWriter;
  private readonly chrome = new ChromeSpans();
  private spans: TraceSpan[] = [];
  private chars = 0;
  private empty = 0;
  private last: WireMessage = { t: 0, dir: 'a2c', line: '' };

  constructor(sink: InterpreterSink) {
    this.logs = new NdjsonLogInterpreter(sink);
    this.traces = new TraceWriter(sink);
  }

  accept(event: WireEvent): void {
    if (event.dir !== 'a2c' || event.bytes !== undefined) return this.logs.accept(event);
    this.last = { t: event.t, dir: 'a2c', line: '' };
    const msg = event.msg ?? eventInList(event.line);
    if (msg === undefined) {
      if (/^\s*[[\]]\s*,?\s*$/.test(event.line)) return; // The brackets of a list with an event to a line.
      return this.logs.accept(event);
    }
    const entries = Array.isArray(msg) ? arrayOf(msg) : [msg];
    for (const entry of entries) {
      if (isObject(entry) && this.add(entry, event)) continue;
      this.logs.accept(Array.isArray(msg) ? { ...this.last, line: boundedJson(entry), msg: entry } : event);
    }
    if (this.spans.length >= maxSpans || this.chars >= maxChars) this.write(this.oldest());
  }

  quiet(t: number): void {
    this.logs.quiet(t);
    this.writeAll();
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
    return this.logs.isWaiting || this.spans.length > 0 || this.empty > 0;
  }

  /** Returns false if it is no span. */
  private add(entry: JsonObject, event: WireMessage): boolean {
    if (Object.keys(entry).length === 0) {
      this.empty++;
      return true;
    }
    if (isOtlpTrace(entry)) {
      for (const span of otlpSpans(entry)) this.hold(span);
      return true;
    }
    if ('scopeMetrics' in entry || 'resourceMetrics' in entry) {
      this.plain({ ...entry, name: 'metrics' }, 'only in the details');
      return true;
    }
    const log = sdkLog(entry);
    if (log) {
      this.logs.accept({ t: event.t, dir: 'a2c', line: event.line, msg: log });
      return true;
    }
    const events = chromeEventsOf(entry);
    if (!events) return false;
    this.last = { t: event.t, dir: 'a2c', line: '' };
    for (const one of events) {
      const span = this.chrome.read(one);
      if (typeof span === 'object') this.hold(span);
      else if (span === 'other') this.plain(one, undefined);
    }
    return true;
  }

  private hold(span: TraceSpan): void {
    this.spans.push(span);
    this.chars += span.raw.length;
  }

  /** An event of a Chrome trace without a duration. */
  private plain(event: JsonObject, what: string | undefined): void {
    const { writer } = this.traces;
    const raw = boundedJson(event, maxRaw);
    writer.begin({ t: this.last.t, dir: 'a2c', line: raw }, undefined, undefined);
    const name = textOf(event['name']) ?? 'event';
    writer.note({ level: 'debug', logger: 'event', message: `${name} (${what ?? `event ${String(event['ph'])}`})` });
  }

  /** Takes the spans of the traces that had none in the newer half of the window, or all if there is only one trace. */
  private oldest(): readonly TraceSpan[] {
    const newer = new Set(this.spans.slice(Math.floor(this.spans.length / 2)).map(({ traceId }) => traceId));
    const rest = this.spans.filter(({ traceId }) => newer.has(traceId));
    const old = this.spans.filter(({ traceId }) => !newer.has(traceId));
    const taken = old.length === 0 ? this.spans : old;
    this.spans = old.length === 0 ? [] : rest;
    this.chars = this.spans.reduce((sum, { raw }) => sum + raw.length, 0);
    return taken;
  }

  private writeAll(): void {
    const { spans } = this;
    this.spans = [];
    this.chars = 0;
    this.write(spans);
    if (this.empty === 0) return;
    const { writer } = this.traces;
    writer.begin(this.last, undefined, undefined);
    const count = this.empty === 1 ? '1 empty span' : `${this.empty} empty spans`;
    this.empty = 0;
    writer.note({
      level: 'notice',
      logger: 'span',
      message: `${count} ({}): the program that wrote this file left out their content, as VS Code's file exporter does`,
    });
  }

  private write(spans: readonly TraceSpan[]): void {
    for (const step of stepsOf(spans)) this.traces.write(step);
  }
}

/** A log record as the SDK for JavaScript keeps it, which VS Code's file exporter writes, in the names of OTLP. */
function sdkLog(entry: JsonObject): JsonObject | undefined {
  const { hrTime, _body: body, attributes, severityNumber, severityText, spanContext, instrumentationScope } = entry;
  if (!Array.isArray(hrTime)) return undefined;
  const [seconds = 0, nanoseconds = 0] = hrTime.map(Number);
  return {
    timestamp: seconds * 1000 + nanoseconds / 1e6,
    observedTimestamp: '',
    body: body ?? entry['body'],
    attributes,
    severityNumber,
    severityText,
    instrumentationScope,
    traceId: objectOf(spanContext)['traceId'],
    spanId: objectOf(spanContext)['spanId'],
  };
}

/** An event in a list with one to a line: `{…},` */
function eventInList(line: string): unknown {
  const text = line
    .trim()
    .replace(/^\[/, '')
    .replace(/[,\]]$/, '');
  return text.startsWith('{') ? parsedJson(text) : undefined;
}
