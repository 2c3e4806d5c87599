import * as vscode from 'vscode';
import type { Runs } from '../../runs/runs';
import { Disposables } from '../disposables';
import { commandIds, prefix } from '../ids';
import { PerRun } from '../perRun';

/** The status bar item: which agents are alive, and at what level; a click changes it. Absent before the first run. */
export class StatusItem {
  private readonly disposables = new Disposables();
  private readonly item: vscode.StatusBarItem;

  constructor(private readonly runs: Runs) {
    this.item = this.disposables.add(
      vscode.window.createStatusBarItem(`${prefix}.status`, vscode.StatusBarAlignment.Left),
    );
    this.item.name = 'Agent Logs';
    this.item.command = commandIds.setLevel;
    this.disposables.add(runs.onDidChange(() => this.update()));
    this.disposables.add(
      new PerRun(runs, (run, disposables) => disposables.add(run.onDidChangeLevel(() => this.update()))),
    );
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private update(): void {
    const [latest] = this.runs.all;
    if (!latest) return this.item.hide();
    const live = this.runs.all.filter((run) => run.state.type !== 'ended');
    const [only] = live;
    const busy = live.some((run) => run.state.type !== 'running');
    const icon = busy ? '$(loading~spin)' : live.length > 0 ? '$(pulse)' : '$(output)';
    this.item.text =
      live.length > 1
        ? vscode.l10n.t('{0} {1} agents', icon, live.length)
        : only
          ? `${icon} ${only.name}: ${only.level}`
          : vscode.l10n.t('{0} no agent running', icon);
    const states = (live.length > 0 ? live : [latest]).map((run) => `${run.name}: ${run.state.type}, ${run.level}`);
    this.item.tooltip = [...states, vscode.l10n.t('Click to change the level')].join('\n');
    this.item.accessibilityInformation = { label: `Agent Logs, ${states.join(', ')}` };
    this.item.show();
  }
}
