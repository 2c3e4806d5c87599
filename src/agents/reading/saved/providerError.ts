import { objectOf, textOf, textsOf } from '../../../text/json';
import { parsedJson } from '../../../text/jsonText';

/** Maximum length of a text to search for JSON, in characters. */
const maxText = 10_000;

/**
 * Extracts the message from an error that quotes a model provider's response: `503: {"message":"Overloaded"}`, `[API Error: {"error":{…}}]`,
 * `[API Error: Overloaded]`. Returns any other text unchanged.
 */
export function providerError(text: string): string {
  const [, before = '', json] = /^([^{]{0,200})(\{[\s\S]*\})\]?\s*$/.exec(text.slice(0, maxText)) ?? [];
  const answer = objectOf(json === undefined ? undefined : parsedJson(json));
  const error = objectOf(answer['error'] ?? answer);
  const message = textOf(error['message']) ?? textOf(answer['error']);
  if (message === undefined) return /^\[API Error: ([\s\S]+)\]\s*$/.exec(text)?.[1] ?? text;
  const code = /\b([45]\d\d)\b/.exec(before)?.[1] ?? (typeof error['code'] === 'number' ? String(error['code']) : '');
  const status = textsOf(code, error['status']).join(' ');
  return status === '' ? message : `${message} (status ${status})`;
}
