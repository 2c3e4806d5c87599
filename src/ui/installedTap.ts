import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ProgramCopy } from '../runs/process/programCopy';
import { tapPatternsFile, writeTapPatterns } from '../runs/config/tapPatterns';
import { tapFolder } from '../wire/journal/tapFolder';
import type { Configuration } from './configuration';

/** The tap for agents in other editors: its journals, its program at a place that no update moves, and the redaction patterns it uses. */
export class InstalledTap {
  /** Of the journals that taps write. */
  readonly folder = tapFolder({ platform: process.platform, env: process.env, home: homedir() });
  private readonly program: ProgramCopy;
  private readonly listener: { dispose(): void };
  private patterns: readonly string[];

  constructor(
    extensionPath: string,
    private readonly configuration: Configuration,
    private readonly log: { error(error: unknown): void },
  ) {
    // Not a module where some folder above it says that its files are.
    const copy = join(dirname(this.folder), 'agent-logs.cjs');
    this.program = new ProgramCopy(join(extensionPath, 'dist', 'cli.js'), copy);
    this.patterns = configuration.redactionSources;
    this.listener = configuration.onDidChange(() => void this.follow().catch((error: unknown) => log.error(error)));
  }

  /** Makes the program and the patterns ready; answers the program's path. */
  async make(): Promise<string> {
    await this.writePatterns();
    return this.program.make();
  }

  /** Brings both up to date if they were ever made ready. A tap that can't be renewed works as it did. */
  async renew(): Promise<void> {
    try {
      const exists = await this.program.renew();
      // Another profile may have written some: that this one has none is no reason to delete them.
      if (exists && this.patterns.length > 0) await this.writePatterns();
    } catch (error) {
      this.log.error(error);
    }
  }

  dispose(): void {
    this.listener.dispose();
  }

  private async follow(): Promise<void> {
    const { redactionSources } = this.configuration;
    if (JSON.stringify(redactionSources) === JSON.stringify(this.patterns)) return;
    this.patterns = redactionSources;
    if (await this.program.renew()) await this.writePatterns();
  }

  private writePatterns(): Promise<void> {
    return writeTapPatterns(tapPatternsFile(this.folder), this.patterns);
  }
}
