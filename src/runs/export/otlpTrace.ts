import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { OtlpSpans } from '../otlp/otlpSpan';
import type { RunTrace } from './chromeTrace';

/** OTLP/JSON (`ExportTraceServiceRequest`), as sent to a collector. */
export function otlpTrace({ runId, name, spans, now }: RunTrace): string {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const attributes = { 'service.name': name, 'service.instance.id': runId };
  const converter = new OtlpSpans({ attributes, span: (id) => byId.get(id) });
  const request = JsonTraceSerializer.serializeRequest(spans.map((span) => converter.convert(span, now)));
  return `${Buffer.from(request ?? '{}').toString()}\n`;
}
