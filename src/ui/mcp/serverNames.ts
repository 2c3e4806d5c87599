import type { JsonObject } from '../../log/json';
import { arrayOf, textsOf } from '../../log/json';

/** The servers that a caller names; none for all. */
export function serverNames({ servers }: JsonObject): readonly string[] {
  return textsOf(...arrayOf(servers));
}
