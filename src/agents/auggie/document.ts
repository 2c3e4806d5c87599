import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';

/** Types of the nodes of a request and of its response. */
export const requestNode = { text: 0, toolResult: 1, ideState: 4, summary: 10 } as const;
export const responseNode = { text: 0, toolUse: 5, thinking: 8, billing: 9, usage: 10 } as const;

/** `ID.json` as lines: the session, then the request and the response of each exchange with the model. */
export function historyLines(document: JsonObject, history: readonly JsonObject[]): readonly KeyedLine[] | undefined {
  const { sessionId, created: timestamp, title, customTitle } = document;
  if (textOf(sessionId) === undefined || textOf(timestamp) === undefined) return undefined;
  if (typeof objectOf(document['agentState'])['userGuidelines'] !== 'string') return undefined;
  const folder = folderIn(history[0]);
  const session = { type: 'auggie.session', sessionId, timestamp, title: customTitle ?? title, folder };
  const lines = history.flatMap(({ exchange, finishedAt, completed }, index): KeyedLine[] => {
    const { request_message: message, request_nodes: nodes, ...response } = objectOf(exchange);
    const asked =
      askedAt(arrayOf(nodes).map(objectOf), arrayOf(response['response_nodes']).map(objectOf)) ?? finishedAt;
    return [
      {
        key: `request ${index}`,
        line: { type: 'auggie.request', index, timestamp: asked, request_message: message, request_nodes: nodes },
      },
      {
        key: `response ${index}`,
        line: { type: 'auggie.response', index, timestamp: finishedAt, completed, ...response },
      },
    ];
  });
  return [{ key: 'session', line: session }, ...lines];
}

/** The first request names the workspace. */
function folderIn(first: JsonObject | undefined): string | undefined {
  const nodes = arrayOf(objectOf(first?.['exchange'])['request_nodes']).map(objectOf);
  const state = nodes.find(({ type }) => type === requestNode.ideState)?.['ide_state_node'];
  return textOf(objectOf(arrayOf(objectOf(state)['workspace_folders'])[0])['folder_root']);
}

/** A request has no time: when its tools had ended, or when the first of its answer came. */
function askedAt(nodes: readonly JsonObject[], response: readonly JsonObject[]): number | undefined {
  const ends = nodes.flatMap(({ tool_result_node: result }) => {
    const start = numberOf(objectOf(result)['start_time_ms']);
    return start === undefined ? [] : [start + (numberOf(objectOf(result)['duration_ms']) ?? 0)];
  });
  if (ends.length > 0) return Math.max(...ends);
  return response.map((node) => numberOf(node['timestamp_ms'])).find((time) => time !== undefined);
}
