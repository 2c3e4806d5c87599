import { posix, win32 } from 'node:path';
import type { AgentId } from '../../agents/agents';

/** The parts of the environment that determine where agents save their sessions. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The folder under which an agent saves its sessions: from the user's setting, the agent's environment variables, or its default
 * in the home folder, which is the same on all platforms.
 * @param own `agentLogs.savedSessions.folders` for this agent
 */
export function agentFolder(agent: AgentId, { platform, home, env }: Machine, own?: string): string {
  const path = platform === 'win32' ? win32 : posix;
  const join = (...names: string[]): string => path.join(...names);
  const atHome = (...names: string[]): string => join(home, ...names);
  const expanded = (folder: string): string => (/^~(?=$|[/\\])/.test(folder) ? join(home, folder.slice(1)) : folder);
  // A relative path would depend on the folder that VS Code was started in.
  const first = (...folders: (string | undefined)[]): string | undefined =>
    folders
      .flatMap((folder) => (folder === undefined ? [] : [expanded(folder)]))
      .find((folder) => path.isAbsolute(folder));
  const set = first(own);
  if (set !== undefined) return set;
  switch (agent) {
    case 'claude':
      return first(env['CLAUDE_CONFIG_DIR']) ?? atHome('.claude');
    case 'codex':
      return first(env['CODEX_HOME']) ?? atHome('.codex');
    case 'gemini':
      return join(first(env['GEMINI_CLI_HOME']) ?? home, '.gemini');
    case 'qwen':
      return first(env['QWEN_RUNTIME_DIR'], env['QWEN_HOME']) ?? atHome('.qwen');
    case 'opencode':
      return join(first(env['XDG_DATA_HOME']) ?? atHome('.local', 'share'), 'opencode');
    case 'copilot':
      return first(env['COPILOT_HOME']) ?? atHome('.copilot');
    case 'pi':
      return first(env['PI_CODING_AGENT_DIR']) ?? atHome('.pi', 'agent');
    case 'cline': {
      const folder = first(env['CLINE_DIR']);
      return first(env['CLINE_DATA_DIR']) ?? (folder === undefined ? atHome('.cline', 'data') : join(folder, 'data'));
    }
  }
}
