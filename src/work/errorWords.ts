import { parsedJson } from '../text/jsonText';
import { boundedJson } from '../text/boundedJson';
import { ownHead } from '../text/ownText';
import { oneLine, withoutEnd } from '../text/text';
import type { JsonObject } from '../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../text/json';

/** Messages that libraries use for any error. If there is a reason, it is in the data (the ACP library puts it there). */
const generic = /^\W*(?:(?:internal|server|unknown|unexpected|unhandled) )*(?:error|exception)\W*$/i;
/** Fields of error data that contain text, most useful first. */
const wordFields = ['details', 'detail', 'message', 'error', 'reason', 'cause'] as const;
const maxMessage = 4000;
const maxWords = 500;
/** Longer texts aren't parsed as JSON, in characters. */
const maxJson = 10_000;
const maxDepth = 7;
/** Fields of an error that have its cause. It says more than the error does: `fetch failed`. */
const causeFields = ['cause', 'innererror', 'innerError', 'inner_error', 'source'] as const;
const maxIssues = 5;

/** Describes an error response: its message, and the reason in its data (JSON-RPC 2.0 section 5.1). Generic messages are left out. Bounded. */
export function errorWords(error: { readonly message: string; readonly data?: unknown }): string {
  const message = ownHead(issuesText(error.message), maxMessage);
  const isGeneric = generic.test(message);
  const words =
    wordsIn(error.data, 0) ?? (isGeneric && isTelling(error.data) ? boundedJson(error.data, 300) : undefined);
  if (words === undefined || generic.test(words) || message.includes(words)) return message;
  return isGeneric || words.includes(message) ? words : `${withoutEnd(message, /[\s.:]/)}: ${words}`;
}

function wordsIn(data: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return undefined;
  if (typeof data === 'string') return wordsOfText(data, depth);
  if (Array.isArray(data)) return listed(data.slice(0, maxIssues).map((one) => wordsIn(one, depth + 1)));
  if (!isObject(data)) return undefined;
  for (const field of wordFields) {
    const words = wordsIn(data[field], depth + 1);
    if (words !== undefined) return withCause(withKind(words, data), data, depth);
  }
  return listed(issuesOfTree(data, '', 0));
}

/** Adds the innermost cause, unless the words have it. */
function withCause(words: string, data: JsonObject, depth: number): string {
  const cause = causeFields.map((field) => wordsIn(data[field], depth + 1)).find((one) => one !== undefined);
  if (cause === undefined || generic.test(cause) || words.includes(cause)) return words;
  return ownHead(`${withoutEnd(words, /[\s.:]/)}: ${cause}`, maxWords);
}

function wordsOfText(text: string, depth: number): string | undefined {
  if (/^\s*[{[]/.test(text) && text.length <= maxJson) {
    const words = wordsIn(parsedJson(text), depth + 1);
    if (words !== undefined) return words;
  }
  // A stack trace says where, not what.
  const [what = ''] = text.slice(0, maxJson).split(/\r?\n[ \t]+at /, 1);
  return textOf(oneLine(what, maxWords));
}

/** Adds the kind of error that providers report next to the message: `rate_limit_error`, or an HTTP status. */
function withKind(words: string, { type, code, status, statusCode }: JsonObject): string {
  const name = [type, code].find((one) => typeof one === 'string' && /^[a-z]+(?:_[a-z]+){1,5}$/i.test(one));
  const number = [status, statusCode].find((one) => typeof one === 'number' && one >= 400 && one < 600);
  const kind = name ?? (number === undefined ? undefined : `status ${number as number}`);
  return kind === undefined || words.includes(String(name ?? number)) ? words : `${words} (${kind as string})`;
}

/** The messages of zod issues if the text is a JSON dump of them, as servers using the official MCP SDK send it. */
function issuesText(text: string): string {
  if (!text.startsWith('[') || text.length > maxJson) return text;
  const issues = arrayOf(parsedJson(text)).slice(0, maxIssues).map(objectOf);
  return listed(issues.map(({ path, message }) => withPath(arrayOf(path).join('.'), textOf(message)))) ?? text;
}

/** Zod issues as a tree in the shape of the data: `{"cwd": {"_errors": ["Required"]}}`. */
function issuesOfTree(data: JsonObject, path: string, depth: number): string[] {
  if (depth > maxDepth) return [];
  const own = arrayOf(data['_errors']).flatMap((one) => withPath(path, textOf(one)) ?? []);
  const below = Object.entries(data)
    .slice(0, 50)
    .flatMap(([name, value]) =>
      isObject(value) ? issuesOfTree(value, path === '' ? name : `${path}.${name}`, depth + 1) : [],
    );
  return [...own, ...below].slice(0, maxIssues);
}

function withPath(path: string, message: string | undefined): string | undefined {
  return message === undefined || path === '' ? message : `${path}: ${message}`;
}

function listed(texts: readonly (string | undefined)[]): string | undefined {
  return textOf(oneLine(textsOf(...texts).join('; '), maxWords));
}

function isTelling(data: unknown): boolean {
  return isObject(data) && Object.values(data).some((value) => !isObject(value) || Object.keys(value).length > 0);
}
