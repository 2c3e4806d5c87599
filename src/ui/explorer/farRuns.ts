import { Emitter } from '../../log/emitter';
import type { FileRun } from '../../runs/files/fileRun';
import type { FileRuns } from '../../runs/files/fileRuns';
import { JoinedCalls } from '../../runs/joins/joinedCalls';
import type { FarEnd } from '../../runs/joins/joinedRun';
import { isAgent, isServer } from '../../runs/joins/joinedRun';
import type { RunView } from '../../runs/runView';
import type { RunViews } from '../../runs/runs';
import { Disposables } from '../disposables';

/** Past runs of MCP servers that are read for their callers without being shown. */
const maxRead = 8;
/** Of one of them, in bytes. */
const maxSize = 64 * 1024 * 1024;

/** The runs at the other ends of calls: those that are shown, and past runs of MCP servers, which are read on demand. */
export class FarRuns {
  private readonly disposables = new Disposables();
  private readonly read = new Map<string, FileRun>();
  /** Runs whose servers were looked for, by the number of their calls. */
  private readonly looked = new WeakMap<RunView, number>();
  private readonly changeEmitter = new Emitter<void>();
  /** Fires when a run was shown, closed or read. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly joined = new JoinedCalls(() => this.all);

  constructor(
    private readonly views: RunViews,
    private readonly fileRuns: FileRuns,
  ) {
    this.disposables.add(fileRuns.onDidChange(() => this.changeEmitter.fire()));
  }

  /** By the ID of the span: see `JoinedCalls`. */
  endsOf(run: RunView): ReadonlyMap<string, readonly FarEnd[]> {
    // Calls have no lanes from a journal that can't be read.
    this.readServersOf(run).catch(() => undefined);
    return this.joined.endsOf(run);
  }

  dispose(): void {
    this.disposables.dispose();
    for (const run of this.read.values()) void this.fileRuns.discard(run);
    this.read.clear();
  }

  private get all(): readonly RunView[] {
    const shown = this.views.all;
    return [...shown, ...[...this.read.values()].filter((run) => !shown.some(({ id }) => id === run.id))];
  }

  /** Reads past runs of servers that ran while the agent did. */
  private async readServersOf(run: RunView): Promise<void> {
    if (!isAgent(run)) return;
    const { calls } = run.log;
    if (calls.length === 0 || this.looked.get(run) === calls.length) return;
    this.looked.set(run, calls.length);
    const from = Math.min(...calls.map(({ startedAt }) => startedAt));
    const to = Math.max(...calls.map(({ startedAt, endedAt }) => endedAt ?? startedAt));
    const past = await this.fileRuns.refresh();
    const servers = past.filter(
      (one) =>
        isServer(one) &&
        !this.read.has(one.id) &&
        one.info.size <= maxSize &&
        one.startedAt <= to &&
        one.info.modifiedAt >= from,
    );
    await Promise.all(servers.slice(0, maxRead).map((server) => this.add(server)));
    if (servers.length > 0) this.changeEmitter.fire();
  }

  private async add(server: FileRun): Promise<void> {
    this.read.set(server.id, server);
    const oldest = this.read.size > maxRead ? [...this.read.values()][0] : undefined;
    if (oldest) {
      this.read.delete(oldest.id);
      void this.fileRuns.discard(oldest);
    }
    await server.read();
  }
}
