import * as vscode from 'vscode';
import { join } from 'node:path';
import { isFileRun } from '../../../past/files/fileRuns';
import type { SessionNow, StateChange } from '../../../past/saved/now/stateChanges';
import { keyOf } from '../../../past/saved/now/sessionState';
import type { SessionWatch } from '../../../past/saved/now/sessionWatch';
import type { SavedSessions } from '../../../past/saved/list/savedSessions';
import type { RunView } from '../../../runLog/runView';
import type { AnySession, JoinedSessions } from '../../../runs/joinedSessions';
import type { LiveSessions } from '../../../runs/liveSessions';
import type { Runs } from '../../../runs/runs';
import { Emitter } from '../../../text/emitter';
import type { Configuration } from '../configuration';
import type { LocalSessions } from '../localSessions';
import type { LogLink } from '../../kit/notify';
import { prefix } from '../../manifest/names';
import { DisposableOwner } from '../../kit/disposables';

/** How long after activation the sessions are looked at, in milliseconds. */
const startDelay = 3000;
/** Which sessions are unread or have yet to end, for the next window. */
const marksKey = `${prefix}.now.marks`;
const none: readonly SessionNow[] = [];
/** Maximum number of sessions to show. */
const maxShown = 30;

/** Those of a kind come together, in this order. */
const order = ['waiting', 'failed', 'done', 'working'] as const;

/**
 * Which sessions work, wait, or have ended unread: those of this window's runs, and those that agents save on this machine. What follows them is
 * loaded some time after activation.
 */
export class SessionsNow extends DisposableOwner {
  private readonly changeEmitter = new Emitter<readonly StateChange<AnySession>[]>();
  /** Fires when something that is shown has changed, with the changes of state. */
  readonly onDidChange = this.changeEmitter.event;
  private live: LiveSessions | undefined;
  private saved: SavedSessions | undefined;
  private watch: SessionWatch | undefined;
  private joined: () => JoinedSessions = () => ({ all: [], pairs: [] });
  private isDisposed = false;
  private remembered = '';
  private timer: NodeJS.Timeout | undefined;

  /** @param globalStorage our own folder */
  constructor(
    private readonly runs: Runs,
    private readonly local: Pick<LocalSessions, 'isShown' | 'load'>,
    private readonly configuration: Configuration,
    private readonly globalStorage: string,
    private readonly memory: vscode.Memento,
    private readonly log: LogLink & { error(error: unknown): void; warn(message: string): void },
  ) {
    super();
  }

  /** @param shownRun the run that the user sees, whose sessions are read */
  begin(shownRun: () => RunView | undefined): void {
    this.timer = setTimeout(() => {
      this.follow(shownRun).catch((error: unknown) => this.log.error(error));
    }, startDelay);
  }

  override dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.watch?.dispose();
    super.dispose();
  }

  /** Those that wait for the user, the longest first. */
  get waiting(): readonly SessionNow<AnySession>[] {
    return this.shown.filter(({ state }) => state.type === 'waiting');
  }

  /** Those that wait, failed, are done, or work. */
  get shown(): readonly SessionNow<AnySession>[] {
    const { all } = this;
    const shown = order.flatMap((type) =>
      all
        .filter(({ state, isUnread }) => state.type === type && (isUnread || 'doing' in state))
        .sort((a, b) => (type === 'waiting' ? startOf(a) - startOf(b) : startOf(b) - startOf(a))),
    );
    return shown.slice(0, maxShown);
  }

  /** All recent sessions, for what the user wants to be told of. */
  get all(): readonly SessionNow<AnySession>[] {
    return this.joined().all;
  }

  /** The user looks at the sessions of a run, or at the file of one. */
  read(run: RunView): void {
    const { info } = isFileRun(run) ? run : {};
    const file = info?.saved && keyOf({ path: info.paths[0] ?? '', id: info.saved.sessionId });
    const isRead = ({ live, saved }: Partial<JoinedSessions['pairs'][number]>): boolean =>
      live?.session.run === run || (saved !== undefined && saved.key === file);
    const pairs = this.joined().pairs.filter(isRead);
    const live = (this.live?.sessions ?? []).filter((one) => isRead({ live: one }));
    this.live?.read([...live, ...pairs.map((pair) => pair.live)].map(({ key }) => key));
    this.watch?.read([...pairs.map((pair) => pair.saved.key), ...(file === undefined ? [] : [file])]);
  }

  private async follow(shownRun: () => RunView | undefined): Promise<void> {
    const [{ LiveSessions }, { rejoining }, { Attention }] = await Promise.all([
      import('../../../runs/liveSessions'),
      import('../../../runs/joinedSessions'),
      import('./attention'),
    ]);
    if (this.isDisposed) return;
    const live = this.own(new LiveSessions(this.runs));
    this.live = live;
    const joined = rejoining();
    this.joined = () => joined(live.sessions, this.watch?.sessions ?? none);
    live.onDidChange((changes) => this.changed(changes, shownRun()));
    const renew = (): void => {
      this.renew(shownRun).catch((error: unknown) => this.log.error(error));
    };
    this.own(this.configuration.onDidChange(renew));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(renew));
    this.own(new Attention(this, this.configuration, join(this.globalStorage, 'attention.pid'), this.log));
    this.changed([], shownRun());
    renew();
  }

  /** Watches the sessions that agents save, or no longer. */
  private async renew(shownRun: () => RunView | undefined): Promise<void> {
    const saved = this.local.isShown ? await this.local.load() : undefined;
    if (saved === this.saved || this.isDisposed) return;
    this.watch?.dispose();
    this.saved = saved;
    const watch = saved?.now(undefined, undefined, new Set(this.memory.get<readonly string[]>(marksKey, [])));
    this.watch = watch;
    if (!watch) {
      this.changeEmitter.fire([]);
      return;
    }
    watch.onDidChange((changes) => {
      this.changed(changes, shownRun());
      this.remember(watch.marksToLeave);
    });
  }

  private changed(changes: readonly StateChange<AnySession>[], shownRun: RunView | undefined): void {
    if (shownRun && vscode.window.state.focused) this.read(shownRun);
    const { all, pairs } = this.joined();
    // What was read in a run was read in its file.
    this.watch?.read(pairs.filter(({ live }) => !live.isUnread).map(({ saved }) => saved.key));
    const keys = new Set(all.map(({ key }) => key));
    this.changeEmitter.fire(changes.filter(({ key }) => keys.has(key)));
  }

  private remember(marks: readonly string[]): void {
    const text = JSON.stringify(marks);
    if (text === this.remembered) return;
    this.remembered = text;
    void this.memory.update(marksKey, marks);
  }
}

/** Since when, in milliseconds since the epoch. */
function startOf({ state }: Pick<SessionNow, 'state'>): number {
  return 'doing' in state ? state.doing.since : state.at;
}
