import type { ToolFact } from '../../work/activity';
import { contentTextOf, ownFailure } from '../../work/toolOutput';
import { requestCancelled } from '../../work/errorCodes';
import type { LineFact } from '../../work/facts';
import { objectOf } from '../../log/json';
import { subjectOf } from '../jsonrpc/exchangeText';

/** The change to a tool call (MCP "Tools"), if the line is about one. */
export function toolFactOf(fact: LineFact): ToolFact | undefined {
  if (fact.type !== 'request' && fact.type !== 'response' && fact.type !== 'closed') return undefined;
  const { request, event } = fact;
  if (request?.method !== 'tools/call' || request.direction !== 'out' || event.dir === 'ev') return undefined;
  const name = subjectOf(request) ?? 'a tool';
  const about = {
    type: 'tool',
    event,
    sessionId: undefined,
    id: String(request.id),
    name,
  } as const;
  if (fact.type === 'request') return { ...about, change: 'running', title: name };
  if (fact.type === 'closed') return { ...about, change: 'ended', outcome: 'cancelled' };
  if (fact.error?.code === requestCancelled) return { ...about, change: 'ended', outcome: 'cancelled' };
  // A failed request isn't a failed tool.
  if (fact.error) return { ...about, change: 'ended', error: fact.error.message };
  const result = objectOf(fact.result);
  // Tools report failure in `isError` (MCP "Tools: Error Handling").
  const output = contentTextOf(result['content']);
  if (result['isError'] === true) return { ...about, change: 'ended', outcome: 'failed', output };
  return {
    ...about,
    change: 'ended',
    outcome: 'completed',
    error: ownFailure(result['structuredContent']),
    // Only a JSON object may report a failure.
    output: output?.startsWith('{') === true ? output : undefined,
  };
}
