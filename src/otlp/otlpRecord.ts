import { parseTraceParent } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { boundedJson } from '../text/boundedJson';
import type { Level } from '../text/level';
import type { LogRecord } from '../text/record';
import { shortId, withShortSession } from '../text/sessionLabel';
import { cutAnywhere } from '../text/text';
import { isObject, objectOf } from '../text/json';
import type { Span } from '../timeline/span';
import { jsonValueOf } from '../wire/jsonValue';
import type { OtlpSpanSource } from './otlpSpan';
import { otlpResource, OtlpSpans, otlpTime, wellFormed } from './otlpSpan';

/** The run that records belong to. */
export interface OtlpSource extends OtlpSpanSource {
  /** The wire line that a record was read from, if it is still in memory. */
  raw(seq: number): string | undefined;
  /** The span that a record belongs to, if spans are also exported. */
  readonly spanAt?: ((record: LogRecord) => Span | undefined) | undefined;
}

type OtlpValue = string | number | boolean;
type OtlpAttributes = Readonly<Record<string, OtlpValue>>;

/** The syslog column of appendix B of OpenTelemetry's "Logs Data Model"; our levels are syslog's. */
const severityNumbers: Readonly<Record<Level, number>> = {
  debug: 5,
  info: 9,
  notice: 10,
  warning: 13,
  error: 17,
  critical: 18,
  alert: 19,
  emergency: 21,
};

/** Maximum length of a body, in UTF-16 units. */
const maxBody = 32_768;
const maxValue = 4096;
const maxName = 100;
/** Maximum number of fields of `data` that become attributes. */
const maxFields = 64;
/** The latest time whose nanoseconds fit into 64 bits, in milliseconds. */
const maxTime = 9_223_372_036_854;
/** Longer wire lines are not searched for a trace context, in UTF-16 units. */
const maxLine = 1024 * 1024;
/** Maximum number of scopes: agents choose the names of their loggers. */
const maxScopes = 1000;

/** Converts the records of one run to OpenTelemetry's. */
export class OtlpConverter {
  // The exporter groups records by the identity of these objects.
  private readonly resource: Resource;
  private readonly scopes = new Map<string, { readonly name: string }>();
  private readonly spans: OtlpSpans;

  constructor(private readonly source: OtlpSource) {
    this.resource = otlpResource(source);
    this.spans = new OtlpSpans(source);
  }

  /**
   * Exports only the last characters of session IDs, which are bearer-like. If `data` is an object, its fields become attributes
   * `data.<name>`, nested ones as JSON; any other value becomes `data`.
   */
  convert(record: LogRecord): ReadableLogRecord {
    const observed = otlpTime(record.receivedAt);
    const clean = (text: string): string => wellFormed(withShortSession(text, record.sessionId));
    const data = dataAttributes(record.data, clean);
    const spanContext = traceOf(this.source.raw(record.seq)) ?? this.ownContext(record);
    return {
      resource: this.resource,
      instrumentationScope: this.scopeOf(
        record.logger === undefined ? '' : wellFormed(cutAnywhere(record.logger, maxName)),
      ),
      hrTime: isTime(record.time) ? otlpTime(record.time) : observed,
      hrTimeObserved: observed,
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the enum is these numbers
      severityNumber: severityNumbers[record.level],
      severityText: record.level,
      body: clean(cutAnywhere(record.message, maxBody)),
      attributes: {
        'agent_logs.kind': record.kind,
        'agent_logs.seq': record.seq,
        ...(record.sessionId !== undefined && { 'session.id': wellFormed(shortId(record.sessionId)) }),
        ...data.attributes,
      },
      droppedAttributesCount: data.dropped,
      ...(spanContext && { spanContext }),
    };
  }

  private ownContext(record: LogRecord): ReadableLogRecord['spanContext'] {
    const span = this.source.spanAt?.(record);
    return span && this.spans.contextOf(span);
  }

  private scopeOf(name: string): { readonly name: string } {
    let scope = this.scopes.get(name);
    if (!scope) {
      if (this.scopes.size >= maxScopes) this.scopes.clear();
      this.scopes.set(name, (scope = { name }));
    }
    return scope;
  }
}

function dataAttributes(
  data: unknown,
  clean: (text: string) => string,
): { readonly attributes: OtlpAttributes; readonly dropped: number } {
  if (data === undefined) return { attributes: {}, dropped: 0 };
  if (!isObject(data)) return { attributes: { data: valueOf(data, clean) }, dropped: 0 };
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  const kept = entries.slice(0, maxFields);
  const attributes = kept.map(
    ([name, value]) => [`data.${clean(cutAnywhere(name, maxName))}`, valueOf(value, clean)] as const,
  );
  return { attributes: Object.fromEntries(attributes), dropped: entries.length - kept.length };
}

function valueOf(value: unknown, clean: (text: string) => string): OtlpValue {
  if (typeof value === 'boolean') return value;
  // The exporter sends integers as 64-bit; a larger one would make the collector reject the whole request.
  if (typeof value === 'number' && (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value))) {
    return value;
  }
  return clean(typeof value === 'string' ? cutAnywhere(value, maxValue) : boundedJson(value, maxValue));
}

/**
 * Reads `params._meta.traceparent` (W3C Trace Context), as defined by ACP and MCP (SEP-414).
 * @param raw one or more wire lines; only the first is read
 */
function traceOf(raw: string | undefined): ReadableLogRecord['spanContext'] {
  // Few messages have a trace context, so don't parse the others.
  if (raw === undefined || raw.length > maxLine || !raw.includes('"traceparent"')) return undefined;
  const params = objectOf(objectOf(jsonValueOf(raw.split('\n', 1)[0] ?? '').msg)['params']);
  const { traceparent } = objectOf(params['_meta']);
  return typeof traceparent === 'string' ? (parseTraceParent(traceparent) ?? undefined) : undefined;
}

function isTime(time: number | undefined): time is number {
  return time !== undefined && time >= 0 && time <= maxTime;
}
