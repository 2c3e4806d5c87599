import type { FileRuns } from './files/fileRuns';
import type { Runs } from './runs';
import type { RunView } from './runView';

/** Everything that is shown: the runs of this window, and those of the past that are open. */
export class RunViews {
  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
  ) {}

  /** Those of this window, then those of the past; the newest, or the last opened, first. */
  get all(): readonly RunView[] {
    return [...this.runs.all, ...this.fileRuns.open];
  }

  /** The run of this window that writes a file. */
  writerOf(path: string): RunView | undefined {
    return this.runs.all.find(({ journal }) => journal?.paths.includes(path));
  }

  find(id: string): RunView | undefined {
    return this.runs.find(id) ?? this.fileRuns.find(id);
  }
}
