import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProgramFiles } from '../../live/process/programCopy';
import { ProgramCopy } from '../../live/process/programCopy';
import { tapPatternsFile, writeTapPatterns } from '../../live/config/tapPatterns';
import { tapPricesFile, writeTapPrices } from '../../live/config/tapPrices';
import type { PriceList } from '../../work/usage/prices';
import { tapFile, tapFolder } from '../../wire/journal/tapFolder';
import type { Configuration } from './configuration';

/** The files of the tap's program in the extension's build. */
export function tapProgram(folder: string): ProgramFiles {
  const parts = ['treeRows', 'pastRuns', 'runs', 'core', 'later', 'otlp', 'mcp', 'mcpCheck', 'sharedPage'];
  return { folder, main: 'cli.js', parts: parts.map((name) => `${name}.js`) };
}

/** The tap for agents in other editors: its journals, its program at a path that updates don't change, redaction patterns and prices. */
export class InstalledTap {
  /** The folder of the journals that taps write. */
  readonly folder = tapFolder({ platform: process.platform, env: process.env, home: homedir() });
  private readonly program: ProgramCopy;
  private readonly listener: { dispose(): void };
  private patterns: readonly string[];
  private prices: PriceList;
  private writing = Promise.resolve();

  constructor(
    extensionPath: string,
    private readonly configuration: Configuration,
    private readonly log: { error(error: unknown): void },
  ) {
    const copy = join(dirname(this.folder), tapFile);
    this.program = new ProgramCopy(tapProgram(join(extensionPath, 'dist')), copy);
    this.patterns = configuration.redactionSources;
    this.prices = configuration.prices;
    this.listener = configuration.onDidChange(() => void this.follow().catch((error: unknown) => log.error(error)));
  }

  /** Writes the program and the settings; returns the program's path. */
  async make(): Promise<string> {
    await this.writeSettings();
    return this.program.make();
  }

  /** Updates both if they were written before. On failure, the old ones keep working. */
  async renew(): Promise<void> {
    try {
      const exists = await this.program.renew();
      // Another profile may have written settings, so don't delete them if this one has none.
      if (exists) await this.writeSettings({ deletes: false });
    } catch (error) {
      this.log.error(error);
    }
  }

  dispose(): void {
    this.listener.dispose();
  }

  private async follow(): Promise<void> {
    const { redactionSources, prices } = this.configuration;
    if (JSON.stringify([redactionSources, prices]) === JSON.stringify([this.patterns, this.prices])) return;
    this.patterns = redactionSources;
    this.prices = prices;
    if (await this.program.renew()) await this.writeSettings();
  }

  /** One after the other, so that the newest settings are written last. @param deletes whether to delete files of which there is nothing */
  private writeSettings({ deletes = true } = {}): Promise<void> {
    const written = this.writing.then(async () => {
      const { folder, patterns, prices } = this;
      if (deletes || patterns.length > 0) await writeTapPatterns(tapPatternsFile(folder), patterns);
      if (deletes || Object.keys(prices).length > 0) await writeTapPrices(tapPricesFile(folder), prices);
    });
    this.writing = written.catch(() => undefined);
    return written;
  }
}
