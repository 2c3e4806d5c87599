import type { SourceRange } from '../query/queryTokens';
import type { Words } from '../text/translator';
import type { JSONPath, Node } from 'jsonc-parser';
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { alertsIn } from '../alerts/alertSettings';
import { agentDefinitions } from '../live/config/agentDefinition';
import { redactionPatterns } from '../redact/redactionPatterns';

/** A mistake in a settings file. */
export interface SettingsMistake {
  /** The range to mark, in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  readonly message: Words;
}

const agentsSetting = 'agentLogs.agents';
const patternsSetting = 'agentLogs.redaction.patterns';
const alertsSetting = 'agentLogs.alerts';
const settings = [agentsSetting, patternsSetting, alertsSetting];

/**
 * Finds mistakes in `agentLogs.agents`, with the field or the name to mark, in `agentLogs.redaction.patterns`, and in `agentLogs.alerts`.
 * Tolerates a file that is being edited.
 * @param timedOut the sources of the patterns that were disabled because they took too long
 */
export function mistakesIn(
  text: string,
  settingsPath: JSONPath,
  timedOut: ReadonlySet<string> = new Set(),
): readonly SettingsMistake[] {
  if (!settings.some((setting) => text.includes(setting))) return [];
  const root = treeOf(text);
  if (!root) return [];
  return [
    ...agentMistakes(root, settingsPath),
    ...patternMistakes(root, settingsPath, timedOut),
    ...alertMistakes(root, settingsPath, text),
  ];
}

/** Where the name of an agent is in a settings file. */
export function agentNameIn(text: string, settingsPath: JSONPath, agent: string): SourceRange | undefined {
  const root = treeOf(text);
  const entry = root && findNodeAtLocation(root, [...settingsPath, agentsSetting, agent]);
  const name = entry?.parent?.children?.[0];
  return name && { start: name.offset, end: name.offset + name.length };
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

function alertMistakes(root: Node, settingsPath: JSONPath, text: string): readonly SettingsMistake[] {
  const path = [...settingsPath, alertsSetting];
  const alerts = findNodeAtLocation(root, path);
  if (!alerts) return [];
  return alertsIn(getNodeValue(alerts)).mistakes.map(({ path: inside, range, message }) => {
    const node = findNodeAtLocation(root, [...path, ...inside]) ?? alerts;
    const { offset, length } = (range && partOf(node, range, text)) ?? node;
    return { offset, length, message };
  });
}

/** The place of a part of a string in the file; `undefined` if its escapes aren't the usual ones, so that the place is unknown. */
function partOf(
  { value, offset, length }: Node,
  { start, end }: SourceRange,
  text: string,
): Pick<SettingsMistake, 'offset' | 'length'> | undefined {
  const whole = String(value);
  if (text.slice(offset, offset + length) !== JSON.stringify(whole)) return undefined;
  const lengthOf = (part: string): number => JSON.stringify(part).length - 2;
  return { offset: offset + 1 + lengthOf(whole.slice(0, start)), length: lengthOf(whole.slice(start, end)) };
}

function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text, undefined, { allowTrailingComma: true });
  } catch {
    return undefined; // Nested too deeply.
  }
}
