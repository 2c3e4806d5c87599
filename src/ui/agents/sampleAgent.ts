import { join } from 'node:path';
import type { AgentDefinition } from '../../runs/config/launchSpec';

/** The agent that ships with the extension. It needs no API key, and demonstrates everything an agent can log. */
export function sampleAgent(extensionPath: string): AgentDefinition {
  return {
    name: 'Sample Agent',
    protocol: 'acp',
    // The extension host's runtime. On the desktop that is Electron, which the variable below makes run as Node.
    command: process.execPath,
    args: [join(extensionPath, 'dist', 'sampleAgent.js')],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}
