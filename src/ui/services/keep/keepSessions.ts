import type * as vscode from 'vscode';
import { join } from 'node:path';
import { DisposableOwner } from '../../kit/disposables';
import type { LogLink } from '../../kit/notify';
import type { Configuration } from '../configuration';
import type { LocalSessions } from '../localSessions';
import type { KeepWork } from './keepWork';

/** When to look first, and how often, in milliseconds: a window that has just opened has other work. */
const [startDelay, pause] = [120_000, 3_600_000];
/** How soon after a change of the setting. */
const settleTime = 5000;

/** Copies sessions as the user wants before their agent deletes them, and tells of the others. Its code is loaded when it first looks. */
export class KeepSessions extends DisposableOwner {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private work: KeepWork | undefined;
  private isWorking = false;
  private setting: string;

  constructor(
    private readonly local: Pick<LocalSessions, 'isShown' | 'load' | 'keptPath'>,
    private readonly configuration: Configuration,
    private readonly memory: vscode.Memento,
    private readonly log: LogLink & { warn(message: string): void; error(error: unknown): void },
  ) {
    super();
    this.setting = JSON.stringify(configuration.keep);
    this.own(configuration.onDidChange(() => this.changed()));
    this.later(startDelay);
  }

  override dispose(): void {
    super.dispose();
    this.stopping.abort();
    clearTimeout(this.timer);
    void this.work?.end();
  }

  private changed(): void {
    const setting = JSON.stringify(this.configuration.keep);
    if (setting === this.setting) return;
    this.setting = setting;
    this.later(settleTime);
  }

  private later(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), ms);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    // Another look follows.
    if (this.isWorking) {
      this.later(settleTime);
      return;
    }
    this.isWorking = true;
    try {
      await this.lookNow();
    } catch (error) {
      this.log.error(error);
    }
    this.isWorking = false;
    if (!this.stopping.signal.aborted) this.later(pause);
  }

  private async lookNow(): Promise<void> {
    const { local, configuration, memory, log, stopping } = this;
    if (!local.isShown) return;
    const [sessions, library] = await Promise.all([local.load(), import('./keepWork')]);
    this.work ??= new library.KeepWork(join(local.keptPath, 'keeper.pid'), { memory, log, configuration });
    await this.work.look(sessions, stopping.signal);
  }
}
