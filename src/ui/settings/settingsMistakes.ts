import type { Words } from '../../log/translator';
import type { JSONPath, Node } from 'jsonc-parser';
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { agentDefinitions } from '../../runs/config/agentDefinition';
import { redactionPatterns } from './redactionPatterns';

/** A mistake in a settings file. */
export interface SettingsMistake {
  /** The range to mark, in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  readonly message: Words;
}

const agentsSetting = 'agentLogs.agents';
const patternsSetting = 'agentLogs.redaction.patterns';

/**
 * Finds mistakes in `agentLogs.agents`, with the field or the name to mark, and in `agentLogs.redaction.patterns`. Tolerates a file that is
 * being edited.
 * @param timedOut the sources of the patterns that were disabled because they took too long
 */
export function mistakesIn(
  text: string,
  settingsPath: JSONPath,
  timedOut: ReadonlySet<string> = new Set(),
): readonly SettingsMistake[] {
  if (!text.includes(agentsSetting) && !text.includes(patternsSetting)) return [];
  const root = treeOf(text);
  return root ? [...agentMistakes(root, settingsPath), ...patternMistakes(root, settingsPath, timedOut)] : [];
}

function agentMistakes(root: Node, settingsPath: JSONPath): readonly SettingsMistake[] {
  const path = [...settingsPath, agentsSetting];
  const agents = findNodeAtLocation(root, path);
  if (!agents) return [];
  const { problems, hints } = agentDefinitions(getNodeValue(agents));
  return [...problems, ...hints].map(({ agent, field, message }) => {
    const entry = agent === undefined ? undefined : findNodeAtLocation(root, [...path, agent]);
    const value = entry && field !== undefined ? findNodeAtLocation(root, [...path, agent ?? '', field]) : undefined;
    // A missing field is marked at the agent's name.
    const { offset, length } = value ?? entry?.parent?.children?.[0] ?? agents.parent?.children?.[0] ?? agents;
    return { offset, length, message };
  });
}

function patternMistakes(
  root: Node,
  settingsPath: JSONPath,
  timedOut: ReadonlySet<string>,
): readonly SettingsMistake[] {
  const path = [...settingsPath, patternsSetting];
  const patterns = findNodeAtLocation(root, path);
  return patterns === undefined
    ? []
    : redactionPatterns(getNodeValue(patterns), timedOut).mistakes.map(({ index, message }) => {
        const { offset, length } = findNodeAtLocation(root, [...path, index]) ?? patterns;
        return { offset, length, message };
      });
}

function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text, undefined, { allowTrailingComma: true });
  } catch {
    return undefined; // Nested too deeply.
  }
}
