import type { BuildOptions } from 'esbuild';
import { build } from 'esbuild';
import { kernelInBundle } from '../../scripts/kernel.mjs';
import { join } from 'node:path';
import type { ProcessDefinition } from '../../src/live/config/launchSpec';

/** Between the tap's arguments and the agent's command line. */
const separator = '--';

/** The command line with the tap, bundled on first use like the released one. */
export class TapProgram {
  private built: Promise<unknown> | undefined;

  constructor(private readonly path: string) {}

  /** Puts the tap in front of the agent. It writes to the folder. */
  async before(agent: ProcessDefinition, folder: string): Promise<ProcessDefinition> {
    this.built ??= build(commandLine(this.path));
    await this.built;
    const words = [this.path, 'tap', '--name', agent.name, '--protocol', agent.protocol, '--folder', folder];
    return { ...agent, command: process.execPath, args: [...words, separator, agent.command, ...agent.args] };
  }
}

/** How the command line is bundled into one file. */
export function commandLine(outfile: string): BuildOptions {
  return {
    entryPoints: [join(__dirname, '../../src/cli/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    define: kernelInBundle,
    logLevel: 'error',
  };
}

/** The agent without the tap. */
export function untapped(agent: ProcessDefinition): ProcessDefinition {
  const [command = '', ...args] = agent.args.slice(agent.args.indexOf(separator) + 1);
  return { ...agent, command, args };
}
