/** An agent that speaks the Agent Client Protocol, with its documented command line. */
export interface KnownAgent {
  readonly name: string;
  readonly commandLine: string;
  /** The command that installs it, or the URL of its instructions. */
  readonly install: string;
}

/** Agents in the ACP registry (https://agentclientprotocol.com/get-started/registry) and in the protocol's own list. */
export const catalogue: readonly KnownAgent[] = [
  {
    name: 'Claude Code',
    commandLine: 'claude-agent-acp',
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  },
  { name: 'Codex', commandLine: 'codex-acp', install: 'npm install -g @agentclientprotocol/codex-acp' },
  { name: 'Gemini CLI', commandLine: 'gemini --acp', install: 'npm install -g @google/gemini-cli' },
  { name: 'GitHub Copilot', commandLine: 'copilot --acp', install: 'npm install -g @github/copilot' },
  { name: 'OpenCode', commandLine: 'opencode acp', install: 'npm install -g opencode-ai' },
  { name: 'Qwen Code', commandLine: 'qwen --acp', install: 'npm install -g @qwen-code/qwen-code' },
  { name: 'Auggie', commandLine: 'auggie --acp', install: 'npm install -g @augmentcode/auggie' },
  { name: 'Cline', commandLine: 'cline --acp', install: 'npm install -g cline' },
  { name: 'Cursor', commandLine: 'cursor-agent acp', install: 'https://cursor.com/cli' },
  { name: 'Factory Droid', commandLine: 'droid exec --output-format acp', install: 'https://docs.factory.ai/cli' },
  { name: 'goose', commandLine: 'goose acp', install: 'https://block.github.io/goose' },
  { name: 'Kilo Code', commandLine: 'kilo acp', install: 'npm install -g @kilocode/cli' },
  { name: 'Kimi CLI', commandLine: 'kimi acp', install: 'uv tool install kimi-cli' },
  { name: 'Kiro', commandLine: 'kiro-cli acp', install: 'https://kiro.dev/cli' },
  { name: 'Mistral Vibe', commandLine: 'vibe-acp', install: 'uv tool install mistral-vibe' },
  { name: 'OpenHands', commandLine: 'openhands acp', install: 'uv tool install openhands' },
  { name: 'pi', commandLine: 'pi-acp', install: 'npm install -g pi-acp' },
];

/** The catalog's agents, by whether they are installed. */
export interface Installation {
  readonly installed: readonly KnownAgent[];
  readonly missing: readonly KnownAgent[];
}

/** @param find returns the path of an installed program */
export async function installation(find: (program: string) => Promise<string | undefined>): Promise<Installation> {
  const found = await Promise.all(catalogue.map(({ commandLine }) => find(commandLine.split(' ', 1)[0] ?? '')));
  return {
    installed: catalogue.filter((_, index) => found[index] !== undefined),
    missing: catalogue.filter((_, index) => found[index] === undefined),
  };
}
