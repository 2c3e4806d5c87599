import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import type { SavedSessionsOptions } from '../../src/past/saved/list/savedSessions';
import type { SessionWatch } from '../../src/past/saved/now/sessionWatch';
import type { StateChange } from '../../src/past/saved/now/stateChanges';
import { savedHomeOptions } from './savedHome';

/** A home folder whose sessions are watched, with a clock and folders that the test moves. */
export class WatchedHome {
  readonly home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
  readonly changes: StateChange[] = [];
  /** Processes that run. */
  readonly alive = new Set<number>();
  private readonly folders = new Map<string, (name: string | null) => void>();
  private watch: SessionWatch | undefined;
  private timer: { readonly act: () => void; readonly at: number } | undefined;
  private time = Date.parse('2026-11-27T10:00:00Z');
  worked = 0;
  /** How many times something was looked at. */
  looks = 0;

  get watched(): readonly string[] {
    return [...this.folders.keys()].map((folder) => folder.slice(this.home.length + 1));
  }

  /** Begins to watch, with what is there. */
  async begin(options: Partial<SavedSessionsOptions> = {}): Promise<SessionWatch> {
    const sessions = new SavedSessions({
      ...savedHomeOptions(this.home),
      now: () => this.time,
      isAlive: ({ pid }) => Promise.resolve(this.alive.has(pid)),
      ...options,
    });
    const time = {
      now: () => this.time,
      worked: () => this.worked,
      later: (act: () => void, ms: number) => {
        const timer = { act, at: this.time + ms };
        this.timer = timer;
        return { dispose: () => (this.timer = this.timer === timer ? undefined : this.timer) };
      },
    };
    this.watch = sessions.now(time, (folder, onChange) => {
      if (!existsSync(folder)) throw new Error(`ENOENT: ${folder}`);
      this.folders.set(folder, onChange);
      return { on: () => undefined as never, close: () => this.folders.delete(folder) };
    });
    this.watch.onDidChange((changes) => this.changes.push(...changes));
    await this.settled();
    return this.watch;
  }

  /** Lets time pass, in milliseconds. */
  async pass(ms: number): Promise<void> {
    // What was reported may need a look at the disk.
    await new Promise((resolve) => setTimeout(resolve, 10));
    const until = this.time + ms;
    while (this.timer && this.timer.at <= until) {
      const { act, at } = this.timer;
      this.time = Math.max(this.time, at);
      this.timer = undefined;
      this.looks++;
      act();
      await this.settled();
    }
    this.time = until;
  }

  /** Writes a file, as an agent does, and reports it as the system does. */
  write(name: string, lines: readonly object[], { isAdded = false } = {}): void {
    const path = join(this.home, name);
    const created = mkdirSync(dirname(path), { recursive: true });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    if (isAdded) appendFileSync(path, text);
    else writeFileSync(path, text);
    this.report(created ?? path);
  }

  remove(name: string): void {
    rmSync(join(this.home, name), { recursive: true });
    this.report(join(this.home, name));
  }

  /** The changes so far, as `before → after`. */
  takeChanges(): readonly string[] {
    return this.changes.splice(0).map(({ before = 'new', state, session }) => {
      const doing = state.type === 'waiting' ? ` (${state.doing.asking})` : '';
      return `${session.agent} ${session.title ?? ''}: ${before} → ${state.type}${doing}`;
    });
  }

  dispose(): void {
    this.watch?.dispose();
    rmSync(this.home, { recursive: true, force: true });
  }

  private report(path: string): void {
    this.folders.get(dirname(path))?.(basename(path));
  }

  /** Waits for a look to end: it plans the next one. */
  private async settled(): Promise<void> {
    for (let turns = 0; turns < 50_000 && !this.timer; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
