import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import type { OtlpExport } from './otlpExport';

/** Loads the export the first time the settings name a collector; most users never set one. */
export class LazyOtlpExport {
  private readonly listener: { dispose(): void };
  private loaded: Promise<OtlpExport | undefined> | undefined;

  constructor(
    private readonly runs: Runs,
    private readonly configuration: Configuration,
    private readonly log: { error(error: unknown): void },
  ) {
    this.listener = configuration.onDidChange(() => this.look());
    this.look();
  }

  /** Sends queued records, for as long as deactivation can wait. */
  async end(): Promise<void> {
    this.listener.dispose();
    await (await this.loaded)?.end();
  }

  private look(): void {
    const { endpoint } = this.configuration.otlp;
    if (endpoint !== undefined && endpoint !== '') this.loaded ??= this.load();
  }

  private async load(): Promise<OtlpExport | undefined> {
    try {
      const { OtlpExport } = await import('./otlpExport');
      return new OtlpExport(this.runs, this.configuration);
    } catch (error) {
      this.log.error(error); // for example, an update removed the files that this window was started with
      return undefined;
    }
  }
}
