import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../text/json';
import { objectOf } from '../../text/json';
import type { WebPage } from '../webPage';

/**
 * Asks the user what a server wants to know (MCP "Elicitation"). The signal aborts if the server no longer waits.
 * @param page what the user should visit, if the question isn't a form
 */
export type AskUser = (
  question: ElicitRequestParams,
  page: WebPage | undefined,
  signal: AbortSignal,
) => Promise<ElicitResult>;

/** The default values that a form starts with (SEP-1034). */
export function defaultsIn(schema: JsonObject): JsonObject {
  const fields = Object.entries(objectOf(schema['properties'])).map(
    ([name, field]) => [name, objectOf(field)] as const,
  );
  return Object.fromEntries(
    fields.filter(([, field]) => 'default' in field).map(([name, field]) => [name, field['default']]),
  );
}
