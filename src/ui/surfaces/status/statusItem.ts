import * as vscode from 'vscode';
import { reaches } from '../../../text/level';
import { commandLink } from '../../../text/markdown';
import { sessionLabel } from '../../../text/sessionLabel';
import { isFailedEnd } from '../../../wire/termination';
import { shownLine } from '../../../text/text';
import type { DiagnosisSummary } from '../../../diagnosis/sessionSummary';
import { describeActivity, isGoingOn } from '../../../diagnosis/sessionSummary';
import type { LogGroup } from '../../../runLog/logGroup';
import type { Run } from '../../../live/run';
import type { SessionNow } from '../../../past/saved/now/stateChanges';
import type { AnySession } from '../../../runs/joinedSessions';
import { isLiveSession } from '../../../runs/liveSession';
import type { Runs } from '../../../runs/runs';
import { runTarget } from '../../kit/commandTarget';
import { DisposableOwner, PerRun } from '../../kit/disposables';
import { commandIds } from '../../manifest/commands';
import { prefix } from '../../manifest/names';
import { labelText } from '../../kit/notify';
import { l10n, shownCount, translate } from '../../kit/translate';
import { describeNow, nameOfNow, openNow } from '../../services/now/describeNow';
import type { SessionsNow } from '../../services/now/sessionsNow';
import { describeState } from '../tree/runText';

/** How often elapsed times are redrawn, in milliseconds. */
const interval = 1000;
const maxState = 60;
const maxProblem = 40;

/**
 * The status bar item: which agents fail, or else what one does, and how many sessions on this machine wait. Hidden if there is nothing to say.
 * A click opens the newest problem, or the session that has waited the longest.
 */
export class StatusItem extends DisposableOwner {
  private readonly item: vscode.StatusBarItem;
  private timer: NodeJS.Timeout | undefined;
  /** The ID of the run, or the key of the session, that a click opens. */
  private opened: string | undefined;

  constructor(
    private readonly runs: Runs,
    private readonly now: SessionsNow,
  ) {
    super();
    this.item = this.own(vscode.window.createStatusBarItem(`${prefix}.status`, vscode.StatusBarAlignment.Left));
    this.item.name = 'Agent Logs';
    this.own(runs.onDidChange(() => this.update()));
    this.own(now.onDidChange(() => this.update()));
    this.own(new PerRun(runs, (run) => [run.log.onDidChange(() => this.updateSoon())]));
    this.own({ dispose: () => clearTimeout(this.timer) });
  }

  private updateSoon(): void {
    this.timer ??= setTimeout(() => this.update(), interval);
  }

  private update(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const latest = this.runs.all.filter((run) => this.runs.latestOf(run.name) === run);
    const troubled = latest.filter(hasProblem).sort((a, b) => failedAt(b) - failedAt(a));
    const failing = troubled.filter(isFailing);
    const busy = latest.find((run) => doingOf(run) !== undefined);
    if (busy) this.updateSoon();
    const shown = failing[0] ?? troubled[0] ?? busy;
    const { waiting } = this.now;
    if (!shown && waiting.length === 0) return this.item.hide();
    const icon = failing.length > 0 ? '$(error)' : troubled.length > 0 ? '$(warning)' : '$(pulse)';
    const own =
      failing.length > 1
        ? vscode.l10n.t('{0} {1} agents failing', icon, failing.length)
        : shown && `${icon} ${labelText(`${shown.name}: ${stateOf(shown)}`)}`;
    this.item.text = [...(own === undefined ? [] : [own]), ...waitingText(waiting.length, own !== undefined)].join(
      '  ',
    );
    const states = [
      // Those of runs are below them.
      ...waiting
        .filter(({ session }) => !isLiveSession(session))
        .map((now) => `${nameOfNow(now)}: ${describeNow(now, Date.now())}`),
      ...latest.filter((run) => troubled.includes(run) || run.state.type !== 'ended').flatMap(linesOf),
    ];
    const first = failing.length === 0 ? waiting[0] : undefined;
    const action = first
      ? vscode.l10n.t('Click to open the session')
      : troubled.length > 0
        ? vscode.l10n.t('Click to open the problem')
        : vscode.l10n.t('Click to open the log');
    this.item.tooltip = tooltipOf([...states, action], shown);
    const parts = ['Agent Logs', ...waitingWords(waiting.length), ...states.map((line) => line.trim()), action];
    this.item.accessibilityInformation = { label: parts.join(', '), role: 'button' };
    this.item.backgroundColor = backgroundOf(own === undefined ? '' : icon);
    this.opens(first ?? shown);
    this.item.show();
  }

  /** A session that waits, or a run. */
  private opens(target: SessionNow<AnySession> | Run | undefined): void {
    const id = target && ('session' in target ? target.key : target.id);
    if (!target || this.opened === id) return;
    this.opened = id;
    if ('session' in target) {
      const { command, arguments: args } = openNow(target);
      this.item.command = { command, title: vscode.l10n.t('Open Log Explorer'), arguments: [...args] };
    } else {
      const title = vscode.l10n.t('Open Log Explorer');
      this.item.command = { command: commandIds.openExplorer, title, arguments: [runTarget(target)] };
    }
  }
}

/** How many sessions wait for the user: `$(bell-dot) 2 waiting`, or only the number beside something else. */
function waitingText(count: number, isShort: boolean): readonly string[] {
  return waitingWords(count).map((words) => `$(bell-dot) ${isShort ? shownCount(count) : words}`);
}

function waitingWords(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? vscode.l10n.t('1 session waits for you') : vscode.l10n.t('{0} sessions wait for you', count)];
}

/** What a run does, what is wrong with it, and what its sessions do. */
function linesOf(run: Run): readonly string[] {
  return [
    `${shownLine(run.name)}: ${describeState(run, Date.now())}, ${run.level}`,
    ...problemsIn(run),
    ...summariesOf(run),
  ];
}

/** Plain text, and links to the log and the level of a run. */
function tooltipOf(lines: readonly string[], run: Run | undefined): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.isTrusted = { enabledCommands: [commandIds.openExplorer, commandIds.setLevel] };
  for (const line of lines) tooltip.appendText(line).appendMarkdown('\n\n');
  if (!run) return tooltip;
  const open = commandLink(vscode.l10n.t('Open Log Explorer'), commandIds.openExplorer, { runId: run.id });
  const level = commandLink(vscode.l10n.t('Set Log Level…'), commandIds.setLevel, { agent: run.name });
  return tooltip.appendMarkdown(`${open} · ${level}`);
}

/** Shows that something is wrong even if the notification was missed and the side panel is closed. */
function backgroundOf(icon: string): vscode.ThemeColor | undefined {
  return icon === '$(error)' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
}

function hasFailed({ state }: Run): boolean {
  return state.type === 'ended' && isFailedEnd(state.termination);
}

/** Whether its agent failed, or is live and has a problem that still holds. */
function hasProblem(run: Run): boolean {
  return run.state.type === 'ended' ? hasFailed(run) : worstOf(run) !== undefined;
}

/** Whether that is more than a warning. */
function isFailing(run: Run): boolean {
  return hasFailed(run) || reaches(worstOf(run)?.level ?? 'debug', 'error');
}

function failedAt(run: Run): number {
  return run.state.type === 'ended' ? run.state.at : (worstOf(run)?.at ?? 0);
}

/** What is wrong, and what the run does. The cause comes first, because the item is cut. */
function stateOf(run: Run): string {
  if (run.state.type === 'ended') return shownLine(describeState(run, Date.now()), maxState);
  // What it does says what it waits for.
  const isWaiting = busyIn(run)?.summary?.activity.type === 'waiting-for-person';
  const isKnown = isWaiting && worstOf(run)?.code === 'waiting-for-user';
  const problem = isKnown ? [] : problemsIn(run).map((text) => shownLine(text, maxProblem));
  const doing = doingOf(run);
  return [...problem, ...(doing === undefined ? [] : [shownLine(doing, maxState)])].join(' · ');
}

/** The worst problem, if it is a warning or an error. */
function worstOf({ log }: Run): DiagnosisSummary | undefined {
  const worst = log.connection.summary?.worst;
  return worst && reaches(worst.level, 'warning') ? worst : undefined;
}

/** The worst problem of a live run in words. */
function problemsIn(run: Run): string[] {
  const worst = run.state.type === 'ended' ? undefined : worstOf(run);
  return worst ? [translate(worst.cause ?? worst.what)] : [];
}

/** The newest session of a run that does something. */
function busyIn({ log }: Run): LogGroup | undefined {
  return log.sessions.findLast(({ summary, ended }) => !ended && summary && isGoingOn(summary.activity));
}

/** What the newest busy session of a run does, if there is one. */
function doingOf(run: Run): string | undefined {
  const busy = busyIn(run);
  return busy?.summary && describeActivity(busy.summary, Date.now(), l10n);
}

/** One line for each of the newest sessions that has a summary. */
function summariesOf({ log }: Run): string[] {
  return log.sessions
    .slice(-5)
    .flatMap(({ id, title, summary }) =>
      summary ? [`  ${sessionLabel(id, title)}: ${shownLine(describeActivity(summary, Date.now(), l10n), 200)}`] : [],
    );
}
