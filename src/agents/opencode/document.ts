import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';
import { timed } from '../reading/saved/keyedLine';
import { jsonIn } from './columns';
import { entryLines } from './entries';

/** The output of `opencode export` as lines. Messages of version 2 have a type, and no role. */
export function exportLines({ info }: JsonObject, messages: readonly JsonObject[]): readonly KeyedLine[] | undefined {
  if (!isObject(info)) return undefined;
  const lines = messages.flatMap((one) => (typeof one['type'] === 'string' ? entryLines(one) : opencodeMessage(one)));
  return [opencodeSession(info), ...lines];
}

function opencodeSession(info: JsonObject): KeyedLine {
  const created = numberOf(objectOf(info['time'])['created']);
  return { key: 'session', line: { type: 'opencode.session', ...timed(created), info } };
}

/** The same from its row in a database. @param more what `opencode export` doesn't say */
export function sessionOfRow(id: string, row: JsonObject, more: JsonObject = {}): KeyedLine {
  return opencodeSession({
    id,
    title: row['title'],
    directory: row['directory'],
    version: row['version'],
    parentID: row['parent_id'],
    ...more,
    model: jsonIn(row, 'model'),
    time: { created: row['time_created'], updated: row['time_updated'] },
  });
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
