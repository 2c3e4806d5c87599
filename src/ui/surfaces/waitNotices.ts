import * as vscode from 'vscode';
import { reaches } from '../../text/level';
import { shownLine } from '../../text/text';
import type { Run } from '../../live/run';
import type { Runs } from '../../runs/runs';
import { DisposableOwner, PerRun } from '../kit/disposables';
import { showAlert } from '../kit/notify';
import { translate } from '../kit/translate';
import { showNotice } from '../kit/whyButton';

/** Notifies the user once of each question outside of sessions that has waited for long, if the window isn't focused. */
export class WaitNotices extends DisposableOwner {
  constructor(runs: Runs) {
    super();
    this.own(
      new PerRun<Run>(runs, (run) => {
        /** When the problem occurred that was noticed last. */
        let noticed: number | undefined;
        return [run.log.onDidChange(() => (noticed = this.look(run, noticed)))];
      }),
    );
  }

  private look(run: Run, noticed: number | undefined): number | undefined {
    const { connection, sessions } = run.log;
    const worst = connection.summary?.worst;
    if (worst?.code !== 'waiting-for-user' || !reaches(worst.level, 'warning') || worst.at === noticed) return noticed;
    // The connection has the worst problem of all sessions, too.
    if (sessions.some(({ summary }) => summary?.worst?.at === worst.at)) return noticed;
    // Whoever looks at the window sees the question.
    if (!vscode.window.state.focused) void this.notify(run, translate(worst.what));
    return worst.at;
  }

  private async notify(run: Run, what: string): Promise<void> {
    const show = vscode.l10n.t('Show');
    const picked = await showAlert(vscode.l10n.t('{0}: {1}', shownLine(run.name, 60), what), show);
    if (picked === show) await showNotice(run, {});
  }
}
