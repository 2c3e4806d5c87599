import type { JsonObject } from '../../text/json';
import { numberOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';
import { timed } from '../reading/saved/keyedLine';

/** What is known about a session, from its row or from an export. */
export interface GooseSession {
  readonly id: string;
  readonly title: string | undefined;
  readonly folder: string | undefined;
  readonly model: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | undefined;
}

export function sessionLine({ id, title, folder, model, startedAt }: GooseSession): KeyedLine {
  return { key: 'session', line: { type: 'goose.session', ...timed(startedAt), id, title, folder, model } };
}

/** @param created seconds since the epoch */
export function messageLine(key: string, created: unknown, message: JsonObject, bytes?: number): KeyedLine {
  const seconds = numberOf(created);
  const line = { type: 'goose.message', ...timed(seconds === undefined ? undefined : seconds * 1000), key, message };
  return { key, line, bytes };
}

/** `goose session export --format json` as lines. */
export function exportLines(document: JsonObject, messages: readonly JsonObject[]): readonly KeyedLine[] | undefined {
  const id = textOf(document['id']);
  const folder = textOf(document['working_dir']);
  if (id === undefined || folder === undefined) return undefined;
  const title = textOf(document['name']) ?? textOf(document['description']);
  const about = { id, title, folder, model: undefined, startedAt: timeIn(document['created_at']) };
  return [
    sessionLine(about),
    ...messages.map((message, index) =>
      messageLine(textOf(message['id']) ?? `message ${index}`, message['created'], message),
    ),
  ];
}

function timeIn(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(time) ? time : undefined;
}
