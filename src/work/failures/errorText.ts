import { parsedJson } from '../../text/jsonText';
import { oneLine } from '../../text/text';
import { errorWords } from '../errorWords';
import { isObject } from '../../text/json';
import type { RpcError } from '../rpcError';

/** `Authentication required (-32000)`. */
export function errorText({ code, message }: RpcError): string {
  return `${oneLine(readable(message), 240).replace(/\.$/, '')}${code === undefined ? '' : ` (${code})`}`;
}

const traceback = /^Traceback \(most recent call last\):/m;
const frame = /^[ \t]+at /m;
const cause = /^[^]*(?:\[cause\]|Caused by): ([^]*)$/;

/** Unwraps an error: the message of a JSON body, the title of an HTML page, or the cause in a stack. */
export function readable(text: string): string {
  const thrown = exceptionIn(text) ?? causeIn(text);
  if (thrown !== undefined) return thrown;
  const [, words] = /<message>([^<]{1,300})<\/message>/i.exec(text) ?? [];
  if (words !== undefined) return words.trim();
  const [, title] = /<title[^<>]{0,200}>([^<]{1,200})/i.exec(text) ?? /<h1[^<>]{0,200}>([^<]{1,200})/i.exec(text) ?? [];
  if (title !== undefined) return `got an HTML page instead of an answer: "${title.trim()}"`;
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0 || end < start) return text;
  const body = parsedJson(text.slice(start, end + 1));
  const error = isObject(body) ? (body['error'] ?? body) : undefined;
  const said = errorWords({ message: 'error', data: error });
  return said === 'error' ? text : `${text.slice(0, start).replace(/[[{(]\s*$/, '')}${said}`;
}

/** The last line of a Python traceback. */
function exceptionIn(text: string): string | undefined {
  const start = text.search(traceback);
  if (start < 0) return undefined;
  const [, ...below] = text.slice(start).split('\n');
  return below.findLast((line) => /^\S/.test(line))?.trimEnd();
}

/** The last cause below the stack of Node.js or Java. */
function causeIn(text: string): string | undefined {
  const start = text.search(frame);
  const lines = start < 0 ? [] : text.slice(start).split('\n');
  return cause.exec(lines.findLast((line) => cause.test(line)) ?? '')?.[1];
}
