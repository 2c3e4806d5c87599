import type { FileRuns } from './files/fileRuns';
import type { Runs } from './runs';
import type { RunView } from './runView';

/** All shown runs: those of this window, and open past ones. */
export class RunViews {
  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
  ) {}

  /** This window's runs, then past ones; newest or last opened first. */
  get all(): readonly RunView[] {
    return [...this.runs.all, ...this.fileRuns.open];
  }

  /** Also the past runs that aren't shown. */
  async withPast(): Promise<readonly RunView[]> {
    const shown = this.all;
    const files = new Set(shown.flatMap(({ journal }) => journal?.paths ?? []));
    const past = (await this.fileRuns.refresh()).filter(({ info }) => !info.paths.some((path) => files.has(path)));
    return [...shown, ...past];
  }

  /** The run in this window that writes one of the files. */
  writerOf(...paths: readonly string[]): RunView | undefined {
    return this.runs.all.find(({ journal }) => journal?.paths.some((path) => paths.includes(path)));
  }

  find(id: string): RunView | undefined {
    return this.runs.find(id) ?? this.fileRuns.find(id);
  }
}
