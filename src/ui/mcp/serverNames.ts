import type { JsonObject } from '../../log/json';
import { textOf } from '../../log/json';

/** The servers that a caller names; none for all. */
export function serverNames({ servers }: JsonObject): readonly string[] {
  return Array.isArray(servers) ? servers.flatMap((name) => textOf(name) ?? []) : [];
}
