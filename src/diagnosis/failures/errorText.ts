import { oneLine } from '../../log/text';
import { errorWords } from '../../work/errorWords';
import { isObject } from '../../log/json';
import type { RpcError } from '../../work/rpcError';

const maxJson = 10_000;

/** `Authentication required (-32000)`. */
export function errorText({ code, message }: RpcError): string {
  return `${oneLine(readable(message), 240).replace(/\.$/, '')}${code === undefined ? '' : ` (${code})`}`;
}

/** The last line of a Python stack, and the causes in those of Node.js and Java. */
const ofTrace =
  /^Traceback \(most recent call last\):[^]*\n(\S[^\n]*)\s*$|^[ \t]+at [^]*(?:\[cause\]|Caused by): ([^\n]*)/m;

/** Unwraps an error: the message of a JSON body, the title of an HTML page, or the cause in a stack. */
export function readable(text: string): string {
  const trace = ofTrace.exec(text);
  if (trace) return trace[1] ?? trace[2] ?? text;
  const [, words] = /<message>([^<]{1,300})<\/message>/i.exec(text) ?? [];
  if (words !== undefined) return words.trim();
  const [, title] = /<title[^>]*>([^<]{1,200})/i.exec(text) ?? /<h1[^>]*>([^<]{1,200})/i.exec(text) ?? [];
  if (title !== undefined) return `got an HTML page instead of an answer: "${title.trim()}"`;
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0 || end < start || end - start > maxJson) return text;
  try {
    const body: unknown = JSON.parse(text.slice(start, end + 1));
    const error = isObject(body) ? (body['error'] ?? body) : undefined;
    const words = errorWords({ message: 'error', data: error });
    return words === 'error' ? text : `${text.slice(0, start).replace(/[[{(]\s*$/, '')}${words}`;
  } catch {
    return text;
  }
}
