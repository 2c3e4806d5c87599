import { parsedJson } from '../../text/jsonText';
import { oneLine, withoutEnd } from '../../text/text';
import { errorWords } from '../errorWords';
import { isObject, objectOf, textOf, textsOf } from '../../text/json';
import type { RpcError } from '../rpcError';

/** `Authentication required (-32000)`. */
export function errorText({ code, message }: RpcError): string {
  return `${oneLine(readable(message), 240).replace(/\.$/, '')}${code === undefined ? '' : ` (${code})`}`;
}

/** Describes an error response on one line, for a notification: its reason, unwrapped. */
export function errorLine(error: { readonly message: string; readonly data?: unknown }): string {
  return oneLine(readable(errorWords(error)), 1000);
}

/** The text without the stop or dots at its end, as more may follow it in a sentence. Before it is cut, as a cut adds a mark. */
export function withoutStop(text: string): string {
  return withoutEnd(text, /[.…\s]/);
}

/** How much of a text to search for a provider's answer, and how much may be before it, in characters. */
const [maxQuoting, maxBefore] = [10_000, 200];
const traceback = /^Traceback \(most recent call last\):/m;
const frame = /^[ \t]+at /m;
const cause = /^[^]*(?:\[cause\]|Caused by): ([^]*)$/;

/** Unwraps an error: the message of a JSON body, the title of an HTML page, or the cause in a stack. */
export function readable(whole: string): string {
  const text = unframed(whole);
  const thrown = exceptionIn(text) ?? causeIn(text);
  if (thrown !== undefined) return thrown;
  const [, words] = /<message>([^<]{1,300})<\/message>/i.exec(text) ?? [];
  if (words !== undefined) return words.trim();
  const [, title] = /<title[^<>]{0,200}>([^<]{1,200})/i.exec(text) ?? /<h1[^<>]{0,200}>([^<]{1,200})/i.exec(text) ?? [];
  if (title !== undefined) return `got an HTML page instead of an answer: "${title.trim()}"`;
  const quoted = quotedBody(text);
  const said = errorWords({ message: 'error', data: quoted?.error });
  return quoted === undefined || said === 'error' ? text : `${quoted.before.replace(/[[{(]\s*$/, '')}${said}`;
}

/**
 * Extracts the message from an error that quotes a model provider's response: `503: {"message":"Overloaded"}`, `[API Error: {"error":{…}}]`,
 * `[API Error: Overloaded]`. Returns any other text unchanged.
 */
export function providerError(whole: string): string {
  const text = unframed(whole);
  const { before = '', error, after = '' } = quotedBody(text.slice(0, maxQuoting)) ?? {};
  const message = before.length > maxBefore || !/^\]?\s*$/.test(after) ? undefined : messageIn(error);
  if (message === undefined) return text;
  const { code, status } = objectOf(error);
  const number = /\b([45]\d\d)\b/.exec(before)?.[1] ?? (typeof code === 'number' ? String(code) : '');
  const told = textsOf(number, status).join(' ');
  return told === '' ? message : `${message} (status ${told})`;
}

/** Without the frame in which Gemini CLI and its forks show errors. */
function unframed(text: string): string {
  return /^\[API Error: ([\s\S]+)\]\s*$/.exec(text)?.[1] ?? text;
}

function messageIn(error: unknown): string | undefined {
  return textOf(error) ?? textOf(objectOf(error)['message']);
}

/** The error in the JSON that a text quotes, and the text around it. */
function quotedBody(
  text: string,
): { readonly before: string; readonly error: unknown; readonly after: string } | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}') + 1];
  const body = start < 0 || end <= start ? undefined : parsedJson(text.slice(start, end));
  if (!isObject(body)) return undefined;
  return { before: text.slice(0, start), error: body['error'] ?? body, after: text.slice(end) };
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
