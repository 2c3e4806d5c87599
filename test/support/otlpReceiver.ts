import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// What protobufjs generates from OpenTelemetry's own definitions; later versions of that package no longer carry it.
import * as definitions from 'otlp-definitions/build/src/generated/root';

/** An attribute's value, or a body, as the definitions' JSON mapping writes it. */
interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface ExportRequest {
  readonly resourceLogs?: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeLogs: readonly {
      readonly scope: { readonly name?: string };
      readonly logRecords: readonly Readonly<Record<string, unknown>>[];
    }[];
  }[];
}

interface RequestType {
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): ExportRequest;
}

/** A log record as a collector sees it. */
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

/** How a request is answered, in place of 200; `hang` not at all. */
export type Answer = { readonly status: number; readonly retryAfter?: string; readonly body?: Uint8Array } | 'hang';

/** A collector on loopback: OTLP over HTTP with protobuf, decoded with the official definitions. */
export class OtlpReceiver {
  readonly logs: ReceivedLog[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly at: number }[] = [];
  /** The answers that come first. */
  answers: Answer[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.requests.push({ path: request.url ?? '', headers: request.headers, at: Date.now() });
      this.answer(request.url ?? '', Buffer.concat(chunks), response);
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

  /** Settles when what came fits. */
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

  private answer(path: string, body: Buffer, response: ServerResponse): void {
    const answer = this.answers.shift() ?? { status: path === '/v1/logs' ? 200 : 404 };
    if (answer === 'hang') return;
    if (answer.status === 200) this.logs.push(...received(body));
    const headers = answer.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter };
    response.writeHead(answer.status, { 'content-type': 'application/x-protobuf', ...headers }).end(answer.body);
  }
}

function received(body: Uint8Array): ReceivedLog[] {
  const { ExportLogsServiceRequest } = (
    definitions as unknown as {
      opentelemetry: { proto: { collector: { logs: { v1: { ExportLogsServiceRequest: RequestType } } } } };
    }
  ).opentelemetry.proto.collector.logs.v1;
  const { resourceLogs = [] } = ExportLogsServiceRequest.toObject(ExportLogsServiceRequest.decode(body), {
    longs: String,
  });
  return resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ scope, logRecords }) =>
      logRecords.map((log) => ({
        ...log,
        resource: plain(resource.attributes),
        scope: scope.name ?? '',
        attributes: plain((log['attributes'] ?? []) as KeyValue[]),
        body: valueOf(log['body'] as AnyValue),
        ...hexOf(log),
      })),
    ),
  ) as unknown as ReceivedLog[];
}

function hexOf(log: Readonly<Record<string, unknown>>): object {
  const ids = ['traceId', 'spanId'].filter((name) => log[name] !== undefined);
  return Object.fromEntries(ids.map((name) => [name, Buffer.from(log[name] as Uint8Array).toString('hex')]));
}

function plain(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, boolValue, intValue, doubleValue }: AnyValue): unknown {
  return stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(intValue));
}
