import { Emitter } from '../text/emitter';
import { timesOf } from '../timeline/joins/call';
import type { FileRun } from '../past/files/fileRun';
import type { FileRuns } from '../past/files/fileRuns';
import { isFileRun } from '../past/files/fileRuns';
import type { RunView } from '../runLog/runView';
import { isBeingRead } from '../runLog/runView';
import type { RunViews } from './runs';
import { around, JoinedCalls } from '../runLog/joins/joinedCalls';
import type { FarEnd } from '../runLog/joins/joinedRun';
import { isAgent, isServer } from '../runLog/joins/joinedRun';

/** Past runs that are read for a call's other end without being shown. */
const maxRead = 8;
/** Of one of them, in bytes. */
const maxSize = 64 * 1024 * 1024;
/** Minimum time between two lists of the journals for a run that goes on, in milliseconds. Runs that are tapped meanwhile are shown by themselves. */
const lookInterval = 30_000;

interface Look {
  readonly at: number;
  /** How many calls the run had. */
  readonly calls: number;
  readonly done: Promise<void>;
}

/** The runs at the other ends of calls: those that are shown, and past runs, which are read on demand. */
export class FarRuns {
  private readonly read = new Map<string, FileRun>();
  private looks = new WeakMap<RunView, Look>();
  private readonly changeEmitter = new Emitter<void>();
  /** Fires when a run was shown, closed or read. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly joined = new JoinedCalls(() => this.all);
  private readonly listeners;

  constructor(
    private readonly views: RunViews,
    private readonly fileRuns: FileRuns,
    private readonly now: () => number = Date.now,
  ) {
    this.listeners = [
      fileRuns.onDidChange(() => this.changeEmitter.fire()),
      fileRuns.onDidRemove((run) => this.forget(run)),
    ];
  }

  /** By the ID of the span: see `JoinedCalls`. Fires a change if more is known later. */
  endsOf(run: RunView): ReadonlyMap<string, readonly FarEnd[]> {
    void this.readOthersOf(run);
    return this.joined.endsOf(run);
  }

  /** The same, once past runs have been read. */
  async allEndsOf(run: RunView): Promise<ReadonlyMap<string, readonly FarEnd[]>> {
    await this.readOthersOf(run);
    return this.joined.endsOf(run);
  }

  /** A run that is shown, or that was read without being shown, whether or not its file is still listed. */
  find(id: string): RunView | undefined {
    return this.views.find(id) ?? this.read.get(id);
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    for (const run of this.read.values()) void this.fileRuns.discard(run);
    this.read.clear();
  }

  private get all(): readonly RunView[] {
    const shown = this.views.all;
    return [...shown, ...[...this.read.values()].filter((run) => !shown.some(({ id }) => id === run.id))];
  }

  private readOthersOf(run: RunView): Promise<void> {
    const { length: calls } = run.log.calls;
    const last = this.looks.get(run);
    const isFresh = last && (last.calls === calls || this.now() - last.at < lookInterval);
    if (isFresh || (calls === 0 && !isBeingRead(run))) return last?.done ?? Promise.resolve();
    // Calls have no lanes from a journal that can't be read.
    const done = this.look(run).catch(() => undefined);
    this.looks.set(run, { at: this.now(), calls, done });
    return done;
  }

  /** Reads past runs of servers that ran while the agent did, and the other way around. */
  private async look(run: RunView): Promise<void> {
    if (isFileRun(run)) await run.read();
    const isOther = isAgent(run) ? isServer : isServer(run) ? isAgent : undefined;
    const { calls } = run.log;
    if (!isOther || calls.length === 0) return;
    const { from, to } = timesOf(calls, around);
    const past = (await this.fileRuns.refresh()).filter(
      (one) =>
        isOther(one) &&
        !this.read.has(one.id) &&
        one.info.size <= maxSize &&
        one.startedAt <= to &&
        one.info.modifiedAt >= from,
    );
    await Promise.allSettled(past.slice(0, maxRead).map((other) => this.add(other)));
    if (past.length > 0) this.changeEmitter.fire();
  }

  private async add(other: FileRun): Promise<void> {
    this.read.set(other.id, other);
    const oldest = this.read.size > maxRead ? [...this.read.values()][0] : undefined;
    if (oldest) {
      this.read.delete(oldest.id);
      void this.fileRuns.discard(oldest);
    }
    await other.read();
  }

  /** A run that was shown has been closed, and can't be read on; another object may be. */
  private forget({ id }: FileRun): void {
    if (this.read.delete(id)) this.looks = new WeakMap();
  }
}
