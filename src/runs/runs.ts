import { Emitter } from '../text/emitter';
import type { FileRuns } from '../past/files/fileRuns';
import type { StopGrace } from '../live/process/agentProcess';
import type { Run } from '../live/run';
import type { RunView } from '../runLog/runView';

/** Ended runs to keep per agent, in addition to live ones. */
const endedRunsPerAgent = 10;
/** Approximate memory limit for the records of all ended runs together, in bytes. */
const endedRunsMemory = 128 * 1024 * 1024;

/** True if the run is one of this window. */
export function isOwnRun(run: RunView | undefined): run is Run {
  return run !== undefined && 'definition' in run;
}

/** The runs of this window, newest first. */
export class Runs {
  private readonly runs: Run[] = [];
  private readonly changeEmitter = new Emitter<void>();
  /** Fires when a run is added, removed or changes its state. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly addEmitter = new Emitter<Run>();
  readonly onDidAdd = this.addEmitter.event;
  private readonly removeEmitter = new Emitter<Run>();
  readonly onDidRemove = this.removeEmitter.event;

  get all(): readonly Run[] {
    return this.runs;
  }

  find(id: string): Run | undefined {
    return this.runs.find((run) => run.id === id);
  }

  latestOf(name: string): Run | undefined {
    return this.runs.find((run) => run.name === name);
  }

  add(run: Run): void {
    this.runs.unshift(run);
    run.onDidChangeState(() => {
      this.changeEmitter.fire();
    });
    this.addEmitter.fire(run);
    this.changeEmitter.fire();
    const ended = this.runs.filter((other) => other.name === run.name && other.state.type === 'ended');
    for (const old of ended.slice(endedRunsPerAgent)) this.remove(old);
    this.makeRoom();
  }

  /** Drops the oldest ended runs if together they use too much memory. */
  private makeRoom(): void {
    let bytes = 0;
    for (const run of [...this.runs]) {
      if (run.state.type !== 'ended') continue;
      bytes += run.log.store.bytes;
      if (bytes > endedRunsMemory) this.remove(run);
    }
  }

  /** Drops an ended run; a live one stays. */
  remove(run: Run): void {
    const index = this.runs.indexOf(run);
    if (index < 0 || run.state.type !== 'ended') return;
    this.runs.splice(index, 1);
    run.log.store.closeFile();
    this.removeEmitter.fire(run);
    this.changeEmitter.fire();
  }

  /** Stops all live runs; settles when they have ended. */
  async stopAll(grace: StopGrace): Promise<void> {
    await Promise.all(this.runs.map((run) => run.stop(grace)));
  }
}

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
