import type { JsonObject } from '../../log/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../log/json';

/** A line made from a part of a document. */
export interface KeyedLine {
  /** Stable for the same part when the document is read again. */
  readonly key: string;
  readonly line: JsonObject;
  /** The length of the part in bytes, if it was too long to read. */
  readonly bytes?: number | undefined;
}

/**
 * Converts a saved session in one JSON document into lines: Cline's messages, Gemini's up to version 0.26, and the output of `opencode export`.
 * `undefined` for any other document.
 */
export function documentLines(document: unknown): readonly KeyedLine[] | undefined {
  if (!isObject(document) || !Array.isArray(document['messages'])) return undefined;
  const messages = arrayOf(document['messages']).map(objectOf);
  if (isObject(document['info'])) return opencodeLines(document['info'], messages);
  if (textOf(document['projectHash']) !== undefined) return geminiLines(document, messages);
  if (textOf(document['sessionId']) !== undefined && 'origin' in document) return clineLines(document, messages);
  return undefined;
}

function opencodeLines(info: JsonObject, messages: readonly JsonObject[]): readonly KeyedLine[] {
  return [opencodeSession(info), ...messages.flatMap(opencodeMessage)];
}

export function opencodeSession(info: JsonObject): KeyedLine {
  const created = numberOf(objectOf(info['time'])['created']);
  return { key: 'session', line: { type: 'opencode.session', ...timed(created), info } };
}

/** A message with its parts, as `opencode export` has it. An answer follows its parts, because it says how the turn ended. */
export function opencodeMessage(message: JsonObject): readonly KeyedLine[] {
  const info = objectOf(message['info']);
  const id = textOf(info['id']) ?? '';
  const { created, completed } = objectOf(info['time']);
  const parts = arrayOf(message['parts'])
    .map(objectOf)
    .map((part): KeyedLine => {
      const time = objectOf(objectOf(part['state'])['time'] ?? part['time']);
      const at = numberOf(time['end']) ?? numberOf(time['start']) ?? numberOf(created);
      const line = { type: 'opencode.part', ...timed(at), part };
      return { key: textOf(part['id']) ?? '', line, bytes: 'type' in part ? undefined : numberOf(part['bytes']) };
    });
  const isAnswer = info['role'] === 'assistant';
  const begun: KeyedLine = {
    key: `${id} begun`,
    line: { type: 'opencode.message', ...timed(numberOf(created)), info: isAnswer ? withoutEnd(info) : info },
  };
  const ended: KeyedLine = {
    key: id,
    line: { type: 'opencode.message', ...timed(numberOf(completed) ?? numberOf(created)), info },
  };
  return [begun, ...parts, ...(isAnswer && (completed !== undefined || info['error'] !== undefined) ? [ended] : [])];
}

function withoutEnd(info: JsonObject): JsonObject {
  const { finish: _finish, error: _error, time, tokens: _tokens, ...rest } = info;
  const { completed: _completed, ...begun } = objectOf(time);
  return { ...rest, time: begun };
}

function geminiLines(document: JsonObject, messages: readonly JsonObject[]): readonly KeyedLine[] {
  const { messages: _messages, ...header } = document;
  const lines = messages.map((line, index): KeyedLine => ({ key: textOf(line['id']) ?? `message ${index}`, line }));
  return [{ key: 'header', line: header }, ...lines];
}

function clineLines(document: JsonObject, messages: readonly JsonObject[]): readonly KeyedLine[] {
  const origin = objectOf(document['origin']);
  const parent = textOf(origin['parentThreadId']);
  const version = textOf(origin['version']);
  const first = messages.map(({ ts }) => numberOf(ts)).find((ts) => ts !== undefined);
  const session = {
    type: 'cline.session',
    ...timed(first),
    sessionId: document['sessionId'],
    ...(parent !== undefined && { parent }),
    ...(version !== undefined && { version }),
  };
  const lines = messages.map((message, index): KeyedLine => {
    const key = textOf(message['id']) ?? `message ${index}`;
    return { key, line: { type: 'cline.message', ...timed(numberOf(message['ts'])), message } };
  });
  return [{ key: 'session', line: session }, ...lines];
}

function timed(ts: number | undefined): { readonly ts?: number } {
  return ts === undefined ? {} : { ts };
}
