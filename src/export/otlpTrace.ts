import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SpanContext } from '@opentelemetry/api';
import type { Span } from '../timeline/span';
import type { FarEnd } from '../runLog/joins/joinedRun';
import type { OtlpSpanSource } from '../otlp/otlpSpan';
import { OtlpSpans } from '../otlp/otlpSpan';
import { Slices } from '../time/slices';
import type { RunTrace } from './chromeTrace';

/** Number of spans to serialize at once, about 60 µs each. */
const atOnce = 100;
/** What is around the spans' resources in a request. */
const [head, tail] = ['{"resourceSpans":[', ']}'];

/** OTLP/JSON (`ExportTraceServiceRequest`), as sent to a collector. The other ends of calls are links to their spans in the exports of their runs. */
export async function otlpTrace({ runId, name, spans, now, ends }: RunTrace): Promise<string> {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const converters = new Map<string, OtlpSpans>();
  const contextOf = ({ run, span }: FarEnd): SpanContext => {
    const known = converters.get(run.id) ?? new OtlpSpans(sourceOf(run.id, run.name, (id) => run.log.span(id)));
    converters.set(run.id, known);
    return known.contextOf(span);
  };
  const converter = new OtlpSpans({
    ...sourceOf(runId, name, (id) => byId.get(id)),
    linksOf: ({ id }) => (ends?.get(id) ?? []).map((end) => ({ context: contextOf(end), by: end.by })),
  });
  const slices = new Slices();
  const parts: string[] = [];
  for (let at = 0; at < spans.length; at += atOnce) {
    const some = spans.slice(at, at + atOnce).map((span) => converter.convert(span, now));
    const request = Buffer.from(JsonTraceSerializer.serializeRequest(some) ?? `${head}${tail}`).toString();
    parts.push(request.slice(head.length, -tail.length));
    if (slices.isSpent) await slices.next();
  }
  return `${head}${parts.join(',')}${tail}\n`;
}

function sourceOf(runId: string, name: string, span: (id: string) => Span | undefined): OtlpSpanSource {
  return { attributes: { 'service.name': name, 'service.instance.id': runId }, span };
}
