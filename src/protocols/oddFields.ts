import { boundedJson } from '../text/boundedJson';
import type { Level } from '../text/level';
import { parseLevel } from '../text/level';
import type { JsonObject } from '../text/json';
import { textOf } from '../text/json';

/** Invalid fields of a log message, by name. Created on demand, because most messages have none and a map for each is expensive in a flood. */
export class OddFields {
  /** Not an object, because a field may be called `__proto__`. */
  private fields: Map<string, unknown> | undefined;

  get size(): number {
    return this.fields?.size ?? 0;
  }

  get entries(): readonly (readonly [string, unknown])[] {
    return [...(this.fields ?? [])];
  }

  set(name: string, value: unknown): void {
    (this.fields ??= new Map()).set(name, value);
  }
}

/** Parses a level by any common name. Defaults to `info` and keeps an invalid value in `odd`. */
export function levelField(params: JsonObject, odd: OddFields): Level {
  const level = parseLevel(params['level']);
  if (level === undefined && params['level'] !== undefined) odd.set('level', params['level']);
  return level ?? 'info';
}

/** Reads an optional string field. Keeps any other value in `odd`. */
export function textField(params: JsonObject, name: string, odd: OddFields): string | undefined {
  const value = params[name];
  if (value !== undefined && value !== null && typeof value !== 'string') odd.set(name, value);
  return textOf(value);
}

/** Adds fields that the protocol doesn't define to `odd`. */
export function addUnknown(params: JsonObject, known: ReadonlySet<string>, odd: OddFields): void {
  for (const name of Object.keys(params)) if (!known.has(name)) odd.set(name, params[name]);
}

/** The data of a log message, with its invalid fields. */
export function dataWithOdd(data: unknown, odd: OddFields): unknown {
  if (odd.size === 0) return data;
  return Object.fromEntries(data === undefined ? odd.entries : [['data', data], ...odd.entries]);
}

/** Converts a message that should be a string: any other value becomes compact JSON. */
export function messageText(message: unknown): string {
  if (typeof message === 'string') return message;
  return message === undefined ? '(no message)' : boundedJson(message);
}
