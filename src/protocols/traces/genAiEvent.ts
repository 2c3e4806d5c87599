import { ownHead } from '../../text/ownText';
import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { OtlpLog } from '../ndjson/otelLog';
import { otelEvent, plainAttributes } from '../ndjson/otelLog';
import type { GenAi } from './genAi';
import { genAiOf, toolContent } from './genAi';
import type { EventContent } from './genAiContent';
import { detailsName, isMessage, messageContent } from './genAiContent';
import { maxRaw, milliseconds, serviceIn } from './traceSpan';

/** A log record about a model request, a tool call or an error of them. */
export interface TraceEvent {
  /** Empty if the record is outside of a trace. */
  readonly traceId: string;
  /** The span that it was written in: the request's own, or the one around it. */
  readonly spanId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `message`: one of those that a request consists of. `call`: a request. */
  readonly kind: 'message' | 'call' | 'tool' | 'error';
  /** It ends what belongs together if no trace says that. */
  readonly isLast: boolean;
  readonly about: GenAi;
  readonly content: EventContent;
  readonly error: string | undefined;
  /** Of a tool call, in milliseconds. */
  readonly took: number;
  readonly service: string | undefined;
  readonly raw: string;
}

/** The exceptions of model requests and tools, and those of any span. */
const exceptions = new Set([
  'exception',
  'gen_ai.client.operation.exception',
  'gen_ai.client.inference.exception',
  'gen_ai.execute_tool.exception',
  'gen_ai.invoke_agent.exception',
]);
/** Whether the text of a line may have such an event. */
export const genAiName = '"gen_ai.';

/** `undefined` if it isn't about generative AI, or says nothing of the work. */
export function traceEventOf(log: OtlpLog, t: number): TraceEvent | undefined {
  const { name = '', time = t, attributes, body, traceId, spanId } = otelEvent(log);
  const kind = kindOf(name, attributes);
  if (kind === undefined) return undefined;
  const content = kind === 'message' ? messageContent(name, attributes, body) : {};
  const about = genAiOf(attributes, name);
  const isSaid = about.prompt !== undefined || about.answer !== undefined;
  // A request outside of a trace that says nothing isn't a turn.
  if (traceId === '' && (kind === 'tool' || kind === 'error' || (kind === 'call' && !isSaid))) return undefined;
  const took = numberOf(attributes['duration_ms']) ?? 0;
  const isFailed = kind === 'tool' && attributes['success'] === false;
  return {
    traceId,
    spanId,
    at: milliseconds(time),
    kind,
    isLast: name === 'gen_ai.choice' || kind === 'call',
    about: kind === 'tool' ? withTool(about, attributes) : { ...about, role: 'chat' },
    content,
    error: kind === 'error' || isFailed ? errorIn(attributes) : callError(kind, attributes),
    took,
    service: serviceIn(plainAttributes(objectOf(log.resource)['attributes'])),
    raw: boundedJson(log.record, maxRaw),
  };
}

function kindOf(name: string, attributes: JsonObject): TraceEvent['kind'] | undefined {
  if (name === detailsName) return 'call';
  if (isMessage(name)) return 'message';
  if (exceptions.has(name)) return 'error';
  // Such as `copilot_chat.tool.call`.
  const isTool = textOf(attributes['gen_ai.tool.name']) !== undefined && typeof attributes['success'] === 'boolean';
  return isTool ? 'tool' : undefined;
}

function withTool(about: GenAi, attributes: JsonObject): GenAi {
  const name = textOf(attributes['gen_ai.tool.name'])?.slice(0, 200) ?? 'tool';
  const id = textOf(attributes['gen_ai.tool.call.id'])?.slice(0, 200);
  const { 'gen_ai.tool.call.arguments': input, 'gen_ai.tool.call.result': output } = attributes;
  return { ...about, role: 'tool', tool: toolContent(id, name, input, output) };
}

function errorIn(attributes: JsonObject): string {
  const type = textOf(attributes['exception.type']) ?? textOf(attributes['error.type']) ?? '';
  return ownHead(textOf(attributes['exception.message']) ?? textOf(attributes['error.message']) ?? type, 4000);
}

function callError(kind: TraceEvent['kind'], attributes: JsonObject): string | undefined {
  return kind === 'call' && textOf(attributes['error.type']) !== undefined ? errorIn(attributes) : undefined;
}
