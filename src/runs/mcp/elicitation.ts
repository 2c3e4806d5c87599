import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../log/json';
import { objectOf } from '../../log/json';

/** Asks the user what a server wants to know (MCP "Elicitation"). The signal aborts if the server no longer waits. */
export type AskUser = (question: ElicitRequestParams, signal: AbortSignal) => Promise<ElicitResult>;

/** The default values that a form starts with (SEP-1034). */
export function defaultsIn(schema: JsonObject): JsonObject {
  const fields = Object.entries(objectOf(schema['properties'])).map(
    ([name, field]) => [name, objectOf(field)] as const,
  );
  return Object.fromEntries(
    fields.filter(([, field]) => 'default' in field).map(([name, field]) => [name, field['default']]),
  );
}
