import { parse } from 'jsonc-parser';
import type { JsonObject } from '../../protocols/json';
import { objectOf } from '../../protocols/json';

/** Parses a settings file: JSON with comments. Returns an empty object if it isn't an object, or is nested too deeply. */
export function settingsIn(text: string): JsonObject {
  try {
    return objectOf(parse(text));
  } catch {
    return {};
  }
}
