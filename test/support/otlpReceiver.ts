import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { partialSuccess, requestOf } from './otlpProtobuf';

/** An attribute's value, or a body. */
interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** A log record as received by a collector. */
export interface ReceivedLog {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly flags?: number;
}

/** A span as a collector sees it. */
export interface ReceivedSpan {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
}

/** A point of a histogram as a collector sees it. */
export interface ReceivedPoint {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly metric: string;
  readonly unit: string;
  /** 1: delta, 2: cumulative. */
  readonly temporality: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly bucketCounts: readonly number[];
  readonly explicitBounds: readonly number[];
}

interface Metric extends Item {
  readonly name: string;
  readonly unit: string;
  readonly histogram: {
    readonly aggregationTemporality: number;
    readonly dataPoints: readonly (Omit<ReceivedPoint, 'attributes'> & { readonly attributes: readonly KeyValue[] })[];
  };
}

/**
 * The response to a request instead of 200: `hang` never responds, `keep` neither, but takes it; `cut` closes the connection within the request,
 * `lose` after taking it.
 * `rejected` is how many items it takes no part of: they are left out.
 */
export type Answer =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string }
  | { readonly rejected: number; readonly why: string }
  | 'hang'
  | 'keep'
  | 'cut'
  | 'lose';

/** A collector on loopback for OTLP over HTTP as JSON or protobuf. Like real ones, it rejects requests that violate the JSON mapping of protobuf. */
export class OtlpReceiver {
  readonly logs: ReceivedLog[] = [];
  readonly spans: ReceivedSpan[] = [];
  /** One list for each request. */
  readonly points: (readonly ReceivedPoint[])[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly at: number }[] = [];
  /** Responses to the next requests. */
  answers: Answer[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly http = createServer((request, response) => {
    const answer = this.answers.shift();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => (answer === 'cut' ? request.destroy() : chunks.push(chunk)));
    request.on('end', () => {
      this.requests.push({ path: request.url ?? '', headers: request.headers, at: Date.now() });
      this.answer(request, answer, Buffer.concat(chunks), response);
      for (const look of this.waiting) look();
    });
  });

  static async start(port = 0): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => receiver.http.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1/logs`;
  }

  get tracesUrl(): string {
    return `http://127.0.0.1:${this.port}/v1/traces`;
  }

  get metricsUrl(): string {
    return `http://127.0.0.1:${this.port}/v1/metrics`;
  }

  /** Settles once the condition holds. */
  until(fits: (receiver: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!fits(this)) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  private answer(
    { url: path = '', headers }: IncomingMessage,
    answer: Answer = { status: /^\/v1\/(?:logs|traces|metrics)$/.test(path) ? 200 : 404 },
    body: Buffer,
    response: ServerResponse,
  ): void {
    if (answer === 'hang') return;
    const isProtobuf = headers['content-type'] === 'application/x-protobuf';
    let status = typeof answer === 'object' && 'status' in answer ? answer.status : 200;
    const rejected = typeof answer === 'object' && 'rejected' in answer ? answer.rejected : 0;
    try {
      const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      const json = isProtobuf ? JSON.stringify(requestOf(path, plain)) : plain.toString();
      if (status === 200) this.take(path, json, rejected);
    } catch {
      status = 400;
    }
    if (answer === 'keep') return;
    if (answer === 'lose') return void response.destroy();
    response.writeHead(status, {
      'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json',
      ...(typeof answer === 'object' && 'retryAfter' in answer && { 'retry-after': answer.retryAfter }),
    });
    if (typeof answer === 'object' && 'rejected' in answer) {
      const { why: errorMessage } = answer;
      const name = path === '/v1/traces' ? 'rejectedSpans' : 'rejectedLogRecords';
      const json = JSON.stringify({ partialSuccess: { [name]: String(rejected), errorMessage } });
      response.end(isProtobuf ? partialSuccess(rejected, errorMessage) : json);
    } else response.end((typeof answer === 'object' && answer.body) || (isProtobuf ? '' : '{}'));
  }

  private take(path: string, request: string, rejected: number): void {
    if (path === '/v1/traces') this.spans.push(...receivedSpans(request).slice(rejected));
    else if (path === '/v1/metrics') this.points.push(receivedPoints(request));
    else this.logs.push(...received(request).slice(rejected));
  }
}

/** Anything that a request has, with what it belongs to. */
type Item = Readonly<Record<string, unknown>> & Pick<ReceivedLog, 'resource' | 'scope' | 'attributes'>;

/** The items of an export request. @throws for one that a collector rejects */
function itemsOf(body: string, signal: 'Logs' | 'Spans' | 'Metrics', name: string): Item[] {
  type Json = Readonly<Record<string, unknown>>;
  const groups = (JSON.parse(body, checked) as Readonly<Record<string, readonly Json[]>>)[`resource${signal}`]!;
  return groups.flatMap((group) => {
    const resource = plain((group['resource'] as { attributes: readonly KeyValue[] }).attributes);
    return (group[`scope${signal}`] as readonly Json[]).flatMap((inner) => {
      const { name: scope = '' } = inner['scope'] as { readonly name?: string };
      const items = inner[name] as readonly Json[];
      return items.map((item) => {
        return { ...item, resource, scope, attributes: plain((item['attributes'] ?? []) as KeyValue[]) };
      });
    });
  });
}

/** Parses an export request. @throws for one that a collector rejects */
export function received(body: string): ReceivedLog[] {
  const logs = itemsOf(body, 'Logs', 'logRecords');
  return logs.map((log) => ({ ...log, body: valueOf(log['body'] as AnyValue) })) as unknown as ReceivedLog[];
}

/** Reads an export request of spans; throws for one that a collector rejects. */
export function receivedSpans(body: string): ReceivedSpan[] {
  const isId = (id: unknown, length: number): boolean =>
    typeof id === 'string' && new RegExp(`^[0-9a-f]{${length}}$`).test(id);
  const spans = itemsOf(body, 'Spans', 'spans');
  for (const { traceId, spanId, parentSpanId = '0'.repeat(16), kind, name } of spans) {
    if (!isId(traceId, 32) || !isId(spanId, 16) || !isId(parentSpanId, 16)) throw new Error('not an id');
    if (typeof name !== 'string' || name === '') throw new Error('no name');
    if (![0, 1, 2, 3, 4, 5].includes(kind as number)) throw new Error('not a kind');
  }
  return spans as unknown as ReceivedSpan[];
}

/** Reads an export request of histograms; throws for one that a collector rejects. */
function receivedPoints(body: string): ReceivedPoint[] {
  const metrics = itemsOf(body, 'Metrics', 'metrics') as unknown as readonly Metric[];
  return metrics.flatMap(({ resource, scope, name: metric, unit, histogram }) =>
    histogram.dataPoints.map((point) => {
      const { bucketCounts, explicitBounds, count } = point;
      if (bucketCounts.length !== explicitBounds.length + 1) throw new Error('not the buckets of the bounds');
      if (bucketCounts.reduce((sum, one) => sum + one, 0) !== count) throw new Error('not the sum of the buckets');
      if (BigInt(point.startTimeUnixNano) > BigInt(point.timeUnixNano)) throw new Error('ends before it starts');
      const temporality = histogram.aggregationTemporality;
      return { ...point, resource, scope, metric, unit, temporality, attributes: plain(point.attributes) };
    }),
  );
}

/** Throws for what the JSON mapping of protobuf doesn't allow. */
function checked(name: string, value: unknown): unknown {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new Error('lone surrogate');
  if (name === 'intValue' && !Number.isSafeInteger(Number(value))) throw new Error('not a 64-bit integer');
  if (name.endsWith('UnixNano') && !/^\d{1,19}$/.test(String(value))) throw new Error('not a time');
  return value;
}

function plain(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, boolValue, intValue, doubleValue }: AnyValue): unknown {
  return stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(intValue));
}
