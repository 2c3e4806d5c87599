import { join } from 'node:path';
import type { AgentDefinition } from '../../runs/config/launchSpec';

/** The agent inside the extension: it needs no installation and no key, and shows everything that an agent can log. */
export function sampleAgent(extensionPath: string): AgentDefinition {
  return {
    name: 'Sample Agent',
    protocol: 'acp',
    // The runtime that runs the extension host; on the desktop that is Electron, which the variable makes a plain Node.
    command: process.execPath,
    args: [join(extensionPath, 'dist', 'sampleAgent.js')],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}
