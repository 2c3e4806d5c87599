import * as vscode from 'vscode';
import { reaches } from '../../text/level';
import { sessionLabel } from '../../text/sessionLabel';
import { shownLine } from '../../text/text';
import type { LogGroup } from '../../runLog/logGroup';
import type { Run } from '../../live/run';
import type { Runs } from '../../runs/runs';
import { DisposableOwner, PerRun } from '../kit/disposables';
import { showAlert } from '../kit/notify';
import { translate } from '../kit/translate';
import { showNotice } from '../kit/whyButton';

/** Notifies the user once of each question that has waited for long, if the window isn't focused. */
export class WaitNotices extends DisposableOwner {
  constructor(runs: Runs) {
    super();
    this.own(
      new PerRun<Run>(runs, (run) => {
        /** When the problem occurred that was noticed last, by session. */
        const noticed = new Map<string | undefined, number>();
        return [run.log.onDidChange(() => this.look(run, noticed))];
      }),
    );
  }

  private look(run: Run, noticed: Map<string | undefined, number>): void {
    const { log } = run;
    // The connection has the worst problem of all sessions.
    if (!reaches(log.connection.summary?.worst?.level ?? 'debug', 'warning')) return;
    for (const group of [log.connection, ...log.sessions]) {
      const { id, summary } = group;
      const worst = summary?.worst;
      const isWait = worst?.code === 'waiting-for-user' && reaches(worst.level, 'warning');
      if (!isWait || noticed.get(id) === worst.at || isOfSession(group, run)) continue;
      noticed.set(id, worst.at);
      // Whoever looks at the window sees the question.
      if (!vscode.window.state.focused) void this.notify(run, group, translate(worst.what));
    }
  }

  private async notify(run: Run, { id, title }: LogGroup, what: string): Promise<void> {
    const show = vscode.l10n.t('Show');
    const session = id === undefined ? '' : ` (${shownLine(sessionLabel(id, title), 60)})`;
    const picked = await showAlert(vscode.l10n.t('{0}: {1}', `${shownLine(run.name, 60)}${session}`, what), show);
    if (picked === show) await showNotice(run, { sessionId: id });
  }
}

/** Whether the connection only repeats the problem of a session. */
function isOfSession({ id, summary }: LogGroup, { log }: Run): boolean {
  const { at } = summary?.worst ?? {};
  return id === undefined && log.sessions.some((session) => session.summary?.worst?.at === at);
}
