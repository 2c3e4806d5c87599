import type { JsonObject } from '../../text/json';
import { textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';

/** `UUID.json` as lines: the session, then each item of its history. It has no times. */
export function historyLines(document: JsonObject, history: readonly JsonObject[]): readonly KeyedLine[] | undefined {
  const { sessionId, title, workspaceDirectory } = document;
  if (textOf(sessionId) === undefined || textOf(workspaceDirectory) === undefined) return undefined;
  const session = { type: 'continue.session', sessionId, title, workspaceDirectory };
  const lines = history.map(({ message, toolCallStates }, index): KeyedLine => {
    return {
      key: `item ${index}`,
      line: { type: 'continue.item', index, message, ...(toolCallStates !== undefined && { toolCallStates }) },
    };
  });
  return [{ key: 'session', line: session }, ...lines];
}
