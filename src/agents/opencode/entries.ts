import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';
import { timed } from '../reading/saved/keyedLine';

/**
 * A row of version 2's `session_message`, or a message of its `opencode export`, as lines. An answer's row grows in place, so each part is a
 * line, and the answer follows its parts, because it says how the step ended.
 */
export function entryLines(entry: JsonObject): readonly KeyedLine[] {
  const id = textOf(entry['id']) ?? '';
  const { created, streamed, completed } = objectOf(entry['time']);
  const from = numberOf(created);
  const end = numberOf(completed) ?? from;
  // Without a time, it was too long to read.
  if (entry['type'] !== 'assistant' || !('time' in entry)) {
    return [{ key: id, line: entryLine(end, entry), bytes: 'time' in entry ? undefined : numberOf(entry['bytes']) }];
  }
  const { content, ...ended } = entry;
  const begun: KeyedLine = { key: `${id} begun`, line: entryLine(from, withoutEnd(ended)) };
  const line = (at: number | undefined, index: number, part: unknown): JsonObject => {
    return { type: 'opencode.content', ...timed(at ?? from), message: id, index, part };
  };
  const parts = arrayOf(content).flatMap((part, index): KeyedLine[] => {
    const time = objectOf(objectOf(part)['time']);
    const times = [time['completed'], time['ran'], time['created'], streamed].map(numberOf);
    const ended = { key: `${id} ${index}`, line: line(times.find(isKnown), index, part) };
    const started = startOf(objectOf(part));
    if (!started) return [ended];
    const begun = { key: `${id} ${index} begun`, line: line(times.slice(1).find(isKnown), index, started) };
    return isRunning(objectOf(part)) ? [begun] : [begun, ended];
  });
  const isOver = completed !== undefined || entry['error'] !== undefined || entry['finish'] !== undefined;
  return [begun, ...parts, ...(isOver ? [{ key: id, line: entryLine(end, ended) }] : [])];
}

function entryLine(at: number | undefined, entry: JsonObject): JsonObject {
  return { type: 'opencode.entry', ...timed(at), entry };
}

function isKnown(at: number | undefined): boolean {
  return at !== undefined;
}

/** A tool call as it was when it began to run. */
function startOf({ type, id, name, state, time }: JsonObject): JsonObject | undefined {
  const { status, input } = objectOf(state);
  if (type !== 'tool' || status === 'streaming') return undefined;
  const { created, ran } = objectOf(time);
  return { type, id, name, state: { status: 'running', input }, time: { created, ran } };
}

function isRunning({ state }: JsonObject): boolean {
  return objectOf(state)['status'] === 'running';
}

function withoutEnd(entry: JsonObject): JsonObject {
  const { finish: _finish, rawFinish: _raw, error: _error, time, tokens: _tokens, cost: _cost, ...rest } = entry;
  return { ...rest, time: { created: objectOf(time)['created'] } };
}
