import type { AcpProgram } from './agent';
import { agents } from './agents';

/** An agent that speaks the Agent Client Protocol. */
export type KnownAgent = Required<AcpProgram>;

/** Agents in the ACP registry (https://agentclientprotocol.com/get-started/registry) and in the protocol's own list. */
export const catalogue: readonly KnownAgent[] = [
  ...agents.flatMap(({ label, acp }) => (acp ? [{ name: label, ...acp }] : [])),
  { name: 'Kiro', commandLine: 'kiro-cli acp', install: 'https://kiro.dev/cli' },
  { name: 'Mistral Vibe', commandLine: 'vibe-acp', install: 'uv tool install mistral-vibe' },
  { name: 'OpenHands', commandLine: 'openhands acp', install: 'uv tool install openhands' },
];
