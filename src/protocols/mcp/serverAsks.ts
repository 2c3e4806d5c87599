import { boundedJson } from '../../text/boundedJson';
import { duration, oneLine } from '../../text/text';
import { contentText } from '../../work/tools/contentText';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import type { OpenRequest } from '../../work/requests';

/** Describes a request from the server (MCP "Sampling", "Elicitation", "Roots"); since 2026-07-28 it may be part of a result. */
export function describeAsk(method: string, params: unknown): ExchangeText | undefined {
  const fields = objectOf(params);
  switch (method) {
    case 'sampling/createMessage':
      return { level: 'notice', logger: 'sampling', message: `asked for a model's answer to: ${lastMessage(fields)}` };
    case 'elicitation/create':
      return { level: 'notice', logger: 'elicitation', message: describeElicitation(fields) };
    case 'roots/list':
      return { level: 'debug', logger: method, message: 'asked for the roots' };
    case 'ping':
      return undefined; // The response says enough.
    default:
      return { level: 'debug', logger: method, message: `asked by the server ${boundedJson(params ?? null, 1000)}` };
  }
}

/** Describes our response, without what the user filled in. */
export function describeReply({ method }: OpenRequest, result: unknown, ms: number): ExchangeText {
  const fields = objectOf(result);
  const after = `(after ${duration(ms)})`;
  switch (method) {
    case 'sampling/createMessage': {
      const model = textOf(fields['model']) ?? 'an unnamed model';
      const text = oneLine(contentText(fields['content']), 300);
      return { level: 'info', logger: 'sampling', message: `answered by ${oneLine(model, 100)} ${after}: ${text}` };
    }
    case 'elicitation/create':
      return { level: 'info', logger: 'elicitation', message: `answered: ${actionOf(fields)} ${after}` };
    case 'roots/list':
      return { level: 'debug', logger: method, message: `answered: ${rootsOf(fields)} ${after}` };
    default:
      return { level: 'debug', logger: method, message: `answered ${after} ${boundedJson(result ?? null, 500)}` };
  }
}

/** Maximum number of requests described per result. */
const maxAsks = 20;

/** Describes the requests in a result with `resultType: "input_required"` (MCP 2026-07-28, "Multi Round-Trip Requests"). */
export function describeInputRequests(result: JsonObject): ExchangeText[] {
  const asks = Object.values(objectOf(result['inputRequests'])).map(objectOf);
  return asks
    .slice(0, maxAsks)
    .flatMap((ask) => describeAsk(textOf(ask['method']) ?? '(no method)', ask['params']) ?? []);
}

/** Describes the responses in a repeated request. */
export function describeInputResponses(params: unknown): string | undefined {
  const { inputResponses } = objectOf(params);
  if (!isObject(inputResponses)) return undefined;
  const answers = Object.values(inputResponses).map((answer) => {
    const fields = objectOf(answer);
    if ('roots' in fields) return rootsOf(fields);
    return 'model' in fields ? `an answer by ${textOf(fields['model']) ?? 'a model'}` : actionOf(fields);
  });
  return oneLine(answers.slice(0, maxAsks).join(', '), 300);
}

function lastMessage(params: JsonObject): string {
  const messages = arrayOf(params['messages']);
  const last = objectOf(messages.at(-1));
  const more = messages.length > 1 ? ` (the last of ${messages.length} messages)` : '';
  return `${oneLine(contentText(last['content']), 300)}${more}`;
}

function describeElicitation(params: JsonObject): string {
  const message = oneLine(textOf(params['message']) ?? '(no message)', 300);
  if (params['mode'] === 'url') return `asked to open a page: ${message} ${oneLine(textOf(params['url']) ?? '', 300)}`;
  const fields = Object.keys(objectOf(objectOf(params['requestedSchema'])['properties']));
  return `asked: ${message}${fields.length === 0 ? '' : ` (${oneLine(fields.slice(0, 30).join(', '), 200)})`}`;
}

function rootsOf(fields: JsonObject): string {
  const { length } = arrayOf(fields['roots']);
  return length === 1 ? '1 root' : `${length} roots`;
}

function actionOf(fields: JsonObject): string {
  return oneLine(textOf(fields['action']) ?? '(no action)', 40);
}
