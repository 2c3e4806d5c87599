import type { JsonObject } from '../../../text/json';
import { arrayOf, textsOf } from '../../../text/json';

/** The servers that a caller names; none for all. */
export function serverNames({ servers }: JsonObject): readonly string[] {
  return textsOf(...arrayOf(servers));
}
