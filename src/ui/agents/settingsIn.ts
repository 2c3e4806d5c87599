import { parse } from 'jsonc-parser';
import type { JsonObject } from '../../protocols/json';
import { objectOf } from '../../protocols/json';

/** The object that a file of settings holds, in JSON with comments; one without fields where it holds none, or is too deep to be read. */
export function settingsIn(text: string): JsonObject {
  try {
    return objectOf(parse(text));
  } catch {
    return {};
  }
}
