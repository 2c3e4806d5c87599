import type { JsonObject } from '../../log/json';
import type { SavedWriter } from './writer/savedWriter';

/** Agents whose saved sessions can be read. */
export type SavedAgent = (typeof savedAgents)[number];

export const savedAgents = ['claude', 'codex', 'gemini', 'qwen', 'opencode', 'copilot', 'pi', 'cline'] as const;

/** Display names. */
export const savedAgentNames: Readonly<Record<SavedAgent, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  opencode: 'OpenCode',
  copilot: 'Copilot CLI',
  pi: 'pi',
  cline: 'Cline',
};

/** Reads the lines of one saved session, in order. */
export interface SavedReader {
  read(line: JsonObject, writer: SavedWriter): void;
}

/** How one agent saves sessions: as JSON lines, or as something converted into JSON lines. */
export interface SavedFormat {
  readonly agent: SavedAgent;
  /** True only if the line is certainly this agent's. */
  recognises(line: JsonObject): boolean;
  reader(): SavedReader;
}
