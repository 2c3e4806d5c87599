import * as vscode from 'vscode';
import { AttentionQueue, attentionVariables } from '../../../alerts/attentionCommand';
import { WaitAlarm } from '../../../alerts/waitAlarm';
import { stillAlive } from '../../../machine/processAlive';
import { ProcessLeader } from '../../../machine/processLeader';
import { runOnce } from '../../../machine/runOnce';
import type { KnownSession, SessionNow, StateChange } from '../../../past/saved/now/stateChanges';
import type { AnySession } from '../../../runs/joinedSessions';
import { isLiveSession } from '../../../runs/liveSession';
import { redactorFor } from '../../../redact/redactorFor';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import { messageOf } from '../../../text/humanError';
import { shownLine } from '../../../text/text';
import type { Configuration } from '../configuration';
import { executeCommand, openSettingCommand } from '../settings/openSettingCommand';
import { DisposableOwner } from '../../kit/disposables';
import type { LogLink } from '../../kit/notify';
import { showAlert, showWarning } from '../../kit/notify';
import { describeNow, nameOfNow, openNow } from './describeNow';
import type { SessionsNow } from './sessionsNow';

/** Notifies the user of sessions that wait for long, and runs their program when a session changes its state; in one window only. */
export class Attention extends DisposableOwner {
  private readonly alarm = new WaitAlarm();
  private readonly leader: ProcessLeader;
  private readonly queue = new AttentionQueue((change) => this.run(change), Date.now);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** The command that couldn't be started. */
  private failed: string | undefined;

  /** @param leaderPath a file for the window that was used last, which is the one that speaks */
  constructor(
    private readonly now: Pick<SessionsNow, 'all' | 'onDidChange'>,
    private readonly configuration: Pick<Configuration, 'attention' | 'ownRedaction'>,
    leaderPath: string,
    private readonly log: LogLink & { warn(message: string): void },
  ) {
    super();
    this.leader = new ProcessLeader(leaderPath, stillAlive());
    this.own(now.onDidChange((changes) => this.changed(changes)));
    this.own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.leader.lead().catch(() => undefined);
      }),
    );
    if (vscode.window.state.focused) void this.leader.lead().catch(() => undefined);
    this.changed([]);
  }

  override dispose(): void {
    super.dispose();
    clearTimeout(this.timer);
    this.stopping.abort();
    void this.leader.resign().catch(() => undefined);
  }

  private changed(changes: readonly StateChange<AnySession>[]): void {
    const { after, command } = this.configuration.attention;
    if (after > 0) this.look(after);
    if (command.length === 0 || changes.length === 0) return;
    void this.queue.addOwn(async () => {
      const isLeader = await this.leader.isLeader();
      // Only this window knows its own runs.
      return changes.filter(({ session }) => isLeader || isLiveSession(session));
    });
  }

  /** @param after in milliseconds */
  private look(after: number): void {
    const due = this.alarm.due(this.now.all, after, Date.now());
    for (const session of due) void this.notify(session);
    clearTimeout(this.timer);
    const wait = this.alarm.nextAt(after) - Date.now();
    if (wait === Infinity) return;
    this.timer = setTimeout(() => this.changed([]), Math.max(0, wait));
    this.timer.unref();
  }

  private async notify(now: SessionNow<AnySession>): Promise<void> {
    if (!isLiveSession(now.session) && !(await this.leader.isLeader())) return;
    const show = vscode.l10n.t('Show');
    const text = vscode.l10n.t('{0}: {1}', nameOfNow(now), describeNow(now, Date.now()));
    if ((await showAlert(text, show)) === show) await executeCommand(openNow(now));
  }

  /** The arguments are those of the setting: nothing that an agent wrote is among them. */
  private async run(change: StateChange<KnownSession>): Promise<void> {
    const { attention, ownRedaction } = this.configuration;
    const { command } = attention;
    const redactor = redactorFor(ownRedaction);
    const variables = attentionVariables(change, (text) => redactedLine(text, redactor));
    try {
      await runOnce(command, variables, this.stopping.signal);
    } catch (error) {
      await this.warn(command, error);
    }
  }

  /** Once for each value of the setting. */
  private async warn(command: readonly string[], error: unknown): Promise<void> {
    const key = JSON.stringify(command);
    if (this.failed === key) return;
    this.failed = key;
    const message = vscode.l10n.t(
      "{0} can't be started: {1}",
      'agentLogs.attention.command',
      shownLine(messageOf(error), 300),
    );
    this.log.warn(message);
    const open = vscode.l10n.t('Open Setting');
    if ((await showWarning(message, this.log, open)) === open) {
      await executeCommand(openSettingCommand('attention.command'));
    }
  }
}
