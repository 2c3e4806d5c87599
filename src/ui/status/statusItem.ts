import * as vscode from 'vscode';
import { rankOf, reaches } from '../../log/level';
import { sessionLabel } from '../../log/sessionLabel';
import { oneLine } from '../../log/text';
import { describeActivity, isGoingOn } from '../../diagnosis/sessionSummary';
import type { LogGroup } from '../../runs/logGroup';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import { DisposableOwner, PerRun } from '../disposables';
import { commandIds, prefix } from '../ids';
import { labelText } from '../notify';
import { translate } from '../translate';
import { describeState } from '../tree/runText';

/** How often elapsed times are redrawn, in milliseconds. */
const interval = 1000;
const maxState = 60;
const maxProblem = 40;

/** The status bar item: which agents are live, and at what level; a click changes it. Hidden before the first run. */
export class StatusItem extends DisposableOwner {
  private readonly item: vscode.StatusBarItem;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly runs: Runs) {
    super();
    this.item = this.own(vscode.window.createStatusBarItem(`${prefix}.status`, vscode.StatusBarAlignment.Left));
    this.item.name = 'Agent Logs';
    this.item.command = commandIds.setLevel;
    this.own(runs.onDidChange(() => this.update()));
    this.own(
      new PerRun(runs, (run) => [
        run.onDidChangeLevel(() => this.update()),
        run.log.onDidChange(() => this.updateSoon()),
      ]),
    );
    this.own({ dispose: () => clearTimeout(this.timer) });
  }

  private updateSoon(): void {
    this.timer ??= setTimeout(() => this.update(), interval);
  }

  private update(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const [latest] = this.runs.all;
    if (!latest) return this.item.hide();
    const live = this.runs.all.filter((run) => run.state.type !== 'ended');
    const [only] = live;
    const icon = iconOf(live, latest);
    this.item.text =
      live.length > 1
        ? vscode.l10n.t('{0} {1} agents', icon, live.length)
        : only
          ? `${icon} ${labelText(`${only.name}: ${stateOf(only)}`)}`
          : failed(latest)
            ? `${icon} ${labelText(`${latest.name}: ${oneLine(describeState(latest, Date.now()), maxState)}`)}`
            : vscode.l10n.t('{0} no agent running', icon);
    const states = (live.length > 0 ? live : [latest]).flatMap((run) => [
      `${oneLine(run.name)}: ${describeState(run, Date.now())}, ${run.level}`,
      ...summariesOf(run),
    ]);
    this.item.tooltip = tooltipOf([...states, vscode.l10n.t('Click to change the level')], latest);
    const parts = ['Agent Logs', ...states.map((line) => line.trim()), vscode.l10n.t('Click to change the level')];
    this.item.accessibilityInformation = { label: parts.join(', '), role: 'button' };
    this.item.backgroundColor = backgroundOf(icon);
    this.item.show();
    if (live.some((run) => doingOf(run) !== undefined)) this.updateSoon();
  }
}

/** Plain text, and a link to the records of the latest run. */
function tooltipOf(lines: readonly string[], latest: Run): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.isTrusted = { enabledCommands: [commandIds.openExplorer] };
  for (const line of lines) tooltip.appendText(line).appendMarkdown('\n\n');
  const args = encodeURIComponent(JSON.stringify([{ runId: latest.id }]));
  return tooltip.appendMarkdown(`[${vscode.l10n.t('Open Log Explorer')}](command:${commandIds.openExplorer}?${args})`);
}

/** Shows that something is wrong even if the notification was missed and the side panel is closed. */
function iconOf(live: readonly Run[], latest: Run): string {
  if (live.some((run) => run.state.type !== 'running')) return '$(loading~spin)';
  if (live.length === 0) return failed(latest) ? '$(error)' : '$(output)';
  const rank = Math.max(...live.map(({ log }) => rankOf(log.connection.summary?.worst?.level ?? 'debug')));
  return rank >= rankOf('error') ? '$(error)' : rank >= rankOf('warning') ? '$(warning)' : '$(pulse)';
}

function backgroundOf(icon: string): vscode.ThemeColor | undefined {
  return icon === '$(error)' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
}

function failed({ state }: Run): boolean {
  return state.type === 'ended' && state.termination.reason === 'error';
}

/** What is wrong, and what the run does or its level. The cause comes first, because the item is cut. */
function stateOf(run: Run): string {
  // What it does says what it waits for.
  const isWaiting = busyIn(run)?.summary?.activity.type === 'waiting-for-person';
  const isKnown = isWaiting && run.log.connection.summary?.worst?.code === 'waiting-for-user';
  const problem = isKnown ? undefined : problemOf(run);
  const doing = oneLine(doingOf(run) ?? run.level, maxState);
  return problem === undefined ? doing : `${oneLine(problem, maxProblem)} · ${doing}`;
}

/** The worst problem that makes the icon a warning or an error. */
function problemOf({ log }: Run): string | undefined {
  const worst = log.connection.summary?.worst;
  return worst && reaches(worst.level, 'warning') ? translate(worst.cause ?? worst.what) : undefined;
}

/** The newest session of a run that does something. */
function busyIn({ log }: Run): LogGroup | undefined {
  return log.sessions.findLast(({ summary, ended }) => !ended && summary && isGoingOn(summary.activity));
}

/** What the newest busy session of a run does, if there is one. */
function doingOf(run: Run): string | undefined {
  const busy = busyIn(run);
  return busy?.summary && describeActivity(busy.summary, Date.now(), vscode.l10n);
}

/** One line for each of the newest sessions that has a summary. */
function summariesOf({ log }: Run): string[] {
  return log.sessions
    .slice(-5)
    .flatMap(({ id, title, summary }) =>
      summary
        ? [`  ${sessionLabel(id, title)}: ${oneLine(describeActivity(summary, Date.now(), vscode.l10n), 200)}`]
        : [],
    );
}
