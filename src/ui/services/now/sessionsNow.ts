import * as vscode from 'vscode';
import { join } from 'node:path';
import type { SessionNow, StateChange } from '../../../past/saved/now/stateChanges';
import type { SessionWatch } from '../../../past/saved/now/sessionWatch';
import type { SavedSessions } from '../../../past/saved/list/savedSessions';
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
/** Maximum number of sessions to show. */
const maxShown = 30;

/** Those of a kind come together, in this order. */
const order = ['waiting', 'failed', 'done', 'working'] as const;

/** Which sessions of all agents on this machine work, wait, or have ended unread. What watches them is loaded some time after activation. */
export class SessionsNow extends DisposableOwner {
  private readonly changeEmitter = new Emitter<readonly StateChange[]>();
  /** Fires when something that is shown has changed, with the changes of state. */
  readonly onDidChange = this.changeEmitter.event;
  private sessions: SavedSessions | undefined;
  private watch: SessionWatch | undefined;
  private attention: { dispose(): void } | undefined;
  private isDisposed = false;
  private remembered = '';
  private readonly timer: NodeJS.Timeout;

  /** @param globalStorage our own folder */
  constructor(
    private readonly local: Pick<LocalSessions, 'isShown' | 'load'>,
    private readonly configuration: Configuration,
    private readonly globalStorage: string,
    private readonly memory: vscode.Memento,
    private readonly log: LogLink & { error(error: unknown): void; warn(message: string): void },
  ) {
    super();
    this.timer = setTimeout(() => {
      this.own(configuration.onDidChange(() => this.renew()));
      this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.renew()));
      this.renew();
    }, startDelay);
  }

  override dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.stop();
    super.dispose();
  }

  /** Those that wait for the user, the longest first. */
  get waiting(): readonly SessionNow[] {
    return this.shown.filter(({ state }) => state.type === 'waiting');
  }

  /** Those that wait, failed, are done, or work. */
  get shown(): readonly SessionNow[] {
    const all = this.watch?.sessions ?? [];
    const shown = order.flatMap((type) =>
      all
        .filter(({ state, isUnread }) => state.type === type && (isUnread || 'doing' in state))
        .sort((a, b) => (type === 'waiting' ? startOf(a) - startOf(b) : startOf(b) - startOf(a))),
    );
    return shown.slice(0, maxShown);
  }

  /** All recent sessions, for what the user wants to be told of. */
  get all(): readonly SessionNow[] {
    return this.watch?.sessions ?? [];
  }

  /** The user has looked at a session. */
  read(key: string): void {
    this.watch?.read([key]);
  }

  private renew(): void {
    this.start().catch((error: unknown) => this.log.error(error));
  }

  private async start(): Promise<void> {
    const sessions = this.local.isShown ? await this.local.load() : undefined;
    if (sessions === this.sessions || this.isDisposed) return;
    this.stop();
    this.sessions = sessions;
    if (!sessions) {
      this.changeEmitter.fire([]);
      return;
    }
    const watch = sessions.now(undefined, undefined, new Set(this.memory.get<readonly string[]>(marksKey, [])));
    this.watch = watch;
    watch.onDidChange((changes) => {
      this.changeEmitter.fire(changes);
      this.remember(watch.marksToLeave);
    });
    const { Attention } = await import('./attention');
    // The settings may have changed meanwhile.
    if (watch !== this.watch) return;
    this.attention = new Attention(this, this.configuration, join(this.globalStorage, 'attention.pid'), this.log);
  }

  private remember(marks: readonly string[]): void {
    const text = JSON.stringify(marks);
    if (text === this.remembered) return;
    this.remembered = text;
    void this.memory.update(marksKey, marks);
  }

  private stop(): void {
    this.attention?.dispose();
    this.watch?.dispose();
    this.attention = undefined;
    this.watch = undefined;
    this.sessions = undefined;
  }
}

/** Since when, in milliseconds since the epoch. */
function startOf({ state }: SessionNow): number {
  return 'doing' in state ? state.doing.since : state.at;
}
