import type { ActivityDraft } from '../../work/activity';
import type { ToolFact } from '../../work/tools/toolFacts';
import { callMarks } from '../../work/tools/callMarks';
import { argumentsText, callText, toolInput } from '../../work/tools/callText';
import { ownFailure } from '../../work/tools/toolOutput';
import { requestCancelled } from '../../work/errorCodes';
import type { Fact } from '../../work/facts';
import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import type { OpenRequest } from '../../work/requests';
import { contentText, contentTextOf } from '../../work/tools/contentText';
import { subjectOf } from '../jsonrpc/exchangeText';

type ToolChange = Omit<ActivityDraft<ToolFact>, 'type' | 'id' | 'name'>;

/** The change to a tool call (MCP "Tools"), if the line is about one. */
export function toolFactOf(fact: Fact): ToolFact | undefined {
  if (fact.type !== 'request' && fact.type !== 'response' && fact.type !== 'closed') return undefined;
  const { request, event } = fact;
  const change = changeOf(fact);
  if (!request || !change || event.dir === 'ev') return undefined;
  const [tool] = toolFacts(request, change);
  return tool && { event, sessionId: undefined, ...tool };
}

/** The change as a fact, if the request is a tool call. */
export function toolFacts(request: OpenRequest, change: ToolChange): ActivityDraft<ToolFact>[] {
  if (request.role !== 'tool' || request.direction !== 'out') return [];
  return [{ type: 'tool', id: String(request.id), name: subjectOf(request) ?? 'a tool', ...change }];
}

/** The end of a call with this result. */
export function resultEnd(result: JsonObject): ToolChange {
  // Tools report failure in `isError` (MCP "Tools: Error Handling").
  const { content, structuredContent: structured } = result;
  const output = contentTextOf(content);
  const all = callText(contentText(content ?? [])) ?? argumentsText(structured);
  if (result['isError'] === true) return { change: 'ended', outcome: 'error', output, result: all };
  return {
    change: 'ended',
    result: all,
    outcome: 'ok',
    error: ownFailure(structured),
    // Only a JSON object may report a failure.
    output: output?.startsWith('{') === true ? output : undefined,
  };
}

function changeOf(fact: Extract<Fact, { type: 'request' | 'response' | 'closed' }>): ToolChange | undefined {
  switch (fact.type) {
    case 'request':
      return {
        change: 'running',
        title: subjectOf(fact.request) ?? 'a tool',
        ...toolInput(fact.params['arguments'], textOf(fact.params['name'])),
        marks: callMarks(fact.params['_meta']),
        traceparent: textOf(objectOf(fact.params['_meta'])['traceparent']),
      };
    case 'closed':
      // The end of a task has facts of its own.
      return fact.how === 'answered' ? undefined : { change: 'ended', outcome: 'cancelled' };
    case 'response':
      if (fact.isAccepted === true) return undefined;
      if (fact.error?.code === requestCancelled) return { change: 'ended', outcome: 'cancelled' };
      // A failed request isn't a failed tool.
      return fact.error
        ? { change: 'ended', error: fact.error.message, result: callText(fact.error.message) }
        : resultEnd(objectOf(fact.result));
  }
}
