import type { JsonObject } from '../json';
import type { SavedWriter } from './writer/savedWriter';

/** Agents whose saved sessions can be read. */
export type SavedAgent = (typeof savedAgents)[number];

export const savedAgents = ['claude', 'codex', 'gemini', 'qwen', 'opencode', 'copilot', 'pi', 'cline'] as const;

/** Names for people. */
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
  /** No more lines for now: writes what depended on the next one. */
  settle?(writer: SavedWriter): void;
  /** Whether something depends on the next line. */
  readonly isHolding?: boolean;
}

/** How one agent saves sessions: as JSON lines, or as something that was made into JSON lines. */
export interface SavedFormat {
  readonly agent: SavedAgent;
  /** Whether the line is certainly this agent's. */
  recognises(line: JsonObject): boolean;
  reader(): SavedReader;
}
