import { boundedJson } from '../log/boundedJson';
import type { Level } from '../log/level';
import { parseLevel } from '../log/level';
import type { JsonObject } from './json';
import { textOf } from './json';

/** The fields of a log message that are not as its protocol has them, by name. Most messages have none, and a map for each of a flood costs. */
export class OddFields {
  /** Not an object: a field may be called `__proto__`. */
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

/** The level by any name in use; `info` for what is none, which is kept among the odd. */
export function levelField(params: JsonObject, odd: OddFields): Level {
  const level = parseLevel(params['level']);
  if (level === undefined && params['level'] !== undefined) odd.set('level', params['level']);
  return level ?? 'info';
}

/** A field that is text or not there; anything else is kept among the odd. */
export function textField(params: JsonObject, name: string, odd: OddFields): string | undefined {
  const value = params[name];
  if (value !== undefined && value !== null && typeof value !== 'string') odd.set(name, value);
  return textOf(value);
}

/** Puts what the protocol does not know among the odd. */
export function addUnknown(params: JsonObject, known: ReadonlySet<string>, odd: OddFields): void {
  for (const name of Object.keys(params)) if (!known.has(name)) odd.set(name, params[name]);
}

/** The data of a log message, with its odd fields. */
export function dataWithOdd(data: unknown, odd: OddFields): unknown {
  if (odd.size === 0) return data;
  return Object.fromEntries(data === undefined ? odd.entries : [['data', data], ...odd.entries]);
}

/** A message that should be text: any other value as compact JSON. */
export function messageText(message: unknown): string {
  if (typeof message === 'string') return message;
  return message === undefined ? '(no message)' : boundedJson(message);
}
