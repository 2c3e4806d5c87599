import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { errorWords } from '../../work/errorWords';

/** What a line of a stream says about an error, whatever the stream's form. */
export function streamError(msg: JsonObject): string | undefined {
  const data = objectOf(msg['data']);
  const error = msg['error'] ?? msg['errorMessage'] ?? data['error'] ?? data['errorMessage'];
  const saysError = /error|failed/i.test(textOf(msg['type']) ?? '') || isObject(error) || textOf(error) !== undefined;
  if (!saysError) return undefined;
  return textOf(errorWords({ message: textOf(msg['message']) ?? textOf(data['message']) ?? '', data: error }));
}
