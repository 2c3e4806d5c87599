import { build } from 'esbuild';
import { join } from 'node:path';
import type { ProcessDefinition } from '../../src/runs/config/launchSpec';

/** What stands between the tap's own words and the agent's. */
const separator = '--';

/** The command line that has the tap, bundled when it is first wanted, as it is for people. */
export class TapProgram {
  private built: Promise<unknown> | undefined;

  constructor(private readonly path: string) {}

  /** The agent with the tap before it, which writes into the folder. */
  async before(agent: ProcessDefinition, folder: string): Promise<ProcessDefinition> {
    this.built ??= build({
      entryPoints: [join(__dirname, '../../src/tap/main.ts')],
      outfile: this.path,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      logLevel: 'error',
    });
    await this.built;
    const words = [this.path, 'tap', '--name', agent.name, '--protocol', agent.protocol, '--folder', folder];
    return { ...agent, command: process.execPath, args: [...words, separator, agent.command, ...agent.args] };
  }
}

/** The agent without the tap. */
export function untapped(agent: ProcessDefinition): ProcessDefinition {
  const [command = '', ...args] = agent.args.slice(agent.args.indexOf(separator) + 1);
  return { ...agent, command, args };
}
