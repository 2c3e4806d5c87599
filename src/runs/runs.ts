import { Emitter } from '../log/emitter';
import type { StopGrace } from './process/agentProcess';
import type { Run } from './run';

/** Ended runs that are kept for each agent, beside the live ones. */
const endedRunsPerAgent = 10;
/** About how much memory the records of all ended runs may take together, in bytes. */
const endedRunsMemory = 128 * 1024 * 1024;

/** The runs of this window, newest first. */
export class Runs {
  private readonly runs: Run[] = [];
  private readonly changeEmitter = new Emitter<void>();
  /** A run was added or removed, or entered another state. */
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

  /** The newest run of an agent. */
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

  /** Forgets the oldest of the ended runs, when together they take too much. */
  private makeRoom(): void {
    let bytes = 0;
    for (const run of [...this.runs]) {
      if (run.state.type !== 'ended') continue;
      bytes += run.log.store.bytes;
      if (bytes > endedRunsMemory) this.remove(run);
    }
  }

  /** Forgets a run that has ended; a live one stays. */
  remove(run: Run): void {
    const index = this.runs.indexOf(run);
    if (index < 0 || run.state.type !== 'ended') return;
    this.runs.splice(index, 1);
    run.log.store.closeFile();
    this.removeEmitter.fire(run);
    this.changeEmitter.fire();
  }

  /** Stops all that are alive; settles when they are gone. */
  async stopAll(grace: StopGrace): Promise<void> {
    await Promise.all(this.runs.map((run) => run.stop(grace)));
  }
}
