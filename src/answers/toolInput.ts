import { HumanError } from '../text/humanError';
import type { JsonObject } from '../text/json';
import { shownLine } from '../text/text';
import { verbatim } from '../text/translator';
import type { AnswerTool, InputSchema } from './tools';

/** The inputs of a tool, checked. */
export interface ToolInput {
  readonly run?: string;
  readonly other?: string;
  readonly session?: string;
  readonly query?: string;
  readonly filter?: string;
  readonly cursor?: string;
  readonly limit?: number;
  readonly servers?: readonly string[];
}

/** Longest text that a model may give, and most texts in a list. */
const maxText = 2000;
const maxTexts = 100;

/**
 * What a model gave a tool. Empty texts and `null` are left out, and a number above its maximum becomes that.
 * @throws HumanError that says what is wrong
 */
export function toolInput({ input, required = [] }: AnswerTool, given: JsonObject): ToolInput {
  const known = Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const checked = Object.fromEntries(
    known.map(([name, value]) => {
      const schema = Object.hasOwn(input, name) ? input[name] : undefined;
      if (!schema) throw wrong(`There is no input "${shownLine(name, 60)}". Inputs: ${Object.keys(input).join(', ')}.`);
      return [name, checkedValue(name, schema, value)];
    }),
  );
  const missing = required.find((name) => !Object.hasOwn(checked, name));
  if (missing !== undefined) throw wrong(`"${missing}" is required.`);
  return checked;
}

/** An answer that says what is wrong. Only models read it, in English. */
export function wrong(message: string): HumanError {
  return new HumanError(verbatim(message));
}

/**
 * The number of a record before which an answer continues; without a cursor, after all of them.
 * @throws HumanError
 */
export function recordBefore({ cursor }: ToolInput): number {
  return cursor === undefined ? Infinity : numberIn(cursor);
}

/** @throws HumanError */
export function numberIn(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw wrong('"cursor" must be one that an earlier answer ends with.');
  return Number(cursor);
}

function checkedValue(name: string, schema: InputSchema, value: unknown): string | number | readonly string[] {
  switch (schema.type) {
    case 'string':
      if (typeof value === 'string' && value.length <= maxText) return value;
      throw wrong(`"${name}" must be a text of at most ${maxText} characters.`);
    case 'integer':
      if (typeof value === 'number' && Number.isInteger(value) && value >= schema.minimum) {
        return Math.min(value, schema.maximum);
      }
      throw wrong(`"${name}" must be a whole number from ${schema.minimum} to ${schema.maximum}.`);
    case 'array':
      if (Array.isArray(value) && value.length <= maxTexts && value.every(isShortText)) return value;
      throw wrong(`"${name}" must be a list of at most ${maxTexts} texts.`);
  }
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxText;
}
