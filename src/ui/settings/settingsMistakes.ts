import type { JSONPath, Node } from 'jsonc-parser';
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { agentDefinitions } from '../../runs/agentDefinition';

/** A mistake in a file of settings. */
export interface SettingsMistake {
  /** Where the text it is about begins, and how long it is, in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  readonly message: string;
}

const setting = 'agentLogs.agents';

/** The mistakes in `agentLogs.agents`, each at the field or the name that it is about. A file that is being written is read as far as it goes. */
export function mistakesIn(text: string, settingsPath: JSONPath): readonly SettingsMistake[] {
  if (!text.includes(setting)) return [];
  const root = treeOf(text);
  const path = [...settingsPath, setting];
  const agents = root && findNodeAtLocation(root, path);
  if (!root || !agents) return [];
  return agentDefinitions(getNodeValue(agents)).problems.map(({ agent, field, message }) => {
    const entry = agent === undefined ? undefined : findNodeAtLocation(root, [...path, agent]);
    const value = entry && field !== undefined ? findNodeAtLocation(root, [...path, agent ?? '', field]) : undefined;
    // What is missing is told at the agent's name.
    const { offset, length } = value ?? entry?.parent?.children?.[0] ?? agents.parent?.children?.[0] ?? agents;
    return { offset, length, message };
  });
}

function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text, undefined, { allowTrailingComma: true });
  } catch {
    return undefined; // too deep to be read
  }
}
