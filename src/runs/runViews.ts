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

  /** The run in this window that writes a file. */
  writerOf(path: string): RunView | undefined {
    return this.runs.all.find(({ journal }) => journal?.paths.includes(path));
  }

  find(id: string): RunView | undefined {
    return this.runs.find(id) ?? this.fileRuns.find(id);
  }
}
