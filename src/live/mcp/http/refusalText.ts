import { readable } from '../../../work/failures/errorText';
import { errorWords } from '../../../work/errorWords';
import { objectOf, textOf } from '../../../text/json';
import { jsonValueOf } from '../../../wire/jsonValue';

/** The JSON-RPC error in the body of an HTTP error. */
export function rpcErrorOf(text: string): { readonly id: unknown; readonly message: string } | undefined {
  const { id, error } = objectOf(jsonValueOf(text).msg);
  const { message, data } = objectOf(error);
  const words = textOf(message);
  return words === undefined ? undefined : { id, message: errorWords({ message: words, data }) };
}

/** What an HTTP error says: the error in its body, or the body unless it's an HTML page, which says no more than the status. */
export function refusalText(body: string, statusText: string): string {
  return rpcErrorOf(body)?.message ?? (/^\s*(?:<|$)/.test(body) ? statusText : readable(body));
}

/** An answer that isn't a message. */
export function answeredWith(type: string | undefined): string {
  return `answered with ${type ?? 'something without a type'}`;
}
