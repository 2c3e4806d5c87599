import * as vscode from 'vscode';
import { oneLine } from '../../../log/text';
import { objectOf, textOf } from '../../../log/json';
import { actionsOf } from '../../../runs/actions';
import { activeUntil, isFileRun } from '../../../runs/files/fileRuns';
import type { RunView } from '../../../runs/runView';
import { accessibleLabel, byteSize, clock, shortTime } from '../format';
import { runIcon } from '../icons';
import { describeActivityOf, describeState } from '../runText';
import { GroupRow } from './groupRow';
import { contextOf, Row } from './row';
import type { RowSources } from './rowSources';
import { shownDate } from '../../translate';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** A run, live or read from a file: above its connection and its sessions. */
export class RunRow extends Row {
  readonly id: string;
  private readonly known = new Map<string | undefined, GroupRow>();

  /** @param parentOf the row that the run is under now: a past run moves when its file is opened by the user */
  constructor(
    override readonly run: RunView,
    private readonly sources: RowSources,
    private readonly parentOf: (run: RunView) => Row,
  ) {
    super();
    this.id = `run:${run.id}`;
  }

  get parent(): Row {
    return this.parentOf(this.run);
  }

  /** @param sessionId `undefined` for the connection */
  group(sessionId: string | undefined): GroupRow {
    const known = this.known.get(sessionId);
    if (known) return known;
    const group = new GroupRow(this.aboveGroup(sessionId), sessionId, this.sources, this.isOwn(sessionId));
    this.known.set(sessionId, group);
    return group;
  }

  override children(): readonly Row[] {
    return this.groups();
  }

  /** The connection and its sessions, without those of subagents. */
  protected groups(): readonly GroupRow[] {
    const groups = this.run.log.sessions.map(({ id }) => this.group(id));
    return [this.group(undefined), ...groups.filter(({ above }) => above === this)];
  }

  /** True for the session that the row itself shows. */
  protected isOwn(_sessionId: string | undefined): boolean {
    return false;
  }

  /** A subagent's session is below the one that started it. */
  private aboveGroup(sessionId: string | undefined): RunRow | GroupRow {
    const { log } = this.run;
    const above = log.sessions.findIndex(({ id }) => id === log.find(sessionId)?.parent);
    const own = log.sessions.findIndex(({ id }) => id === sessionId);
    // Only one that began earlier, so that no two are below each other.
    return above >= 0 && above < own ? this.group(log.sessions[above]?.id) : this;
  }

  /** Starts reading a past run. Records appear while it's read. */
  override async load(): Promise<void> {
    if (isFileRun(this.run) && this.run.state.type === 'unread') await this.sources.fileRuns.show(this.run);
  }

  override tooltip(): string {
    const { run } = this;
    const { dropped } = run.log.store;
    return [
      `${run.name}: ${describeState(run, this.sources.now())}`,
      vscode.l10n.t('Started: {0}', shownDate(run.startedAt)),
      vscode.l10n.t('Level: {0}', run.level),
      ...(run.pid === undefined ? [] : [vscode.l10n.t('Process: {0}', run.pid)]),
      vscode.l10n.t('Command: {0}', oneLine(run.words.join(' '), 500)),
      vscode.l10n.t('Folder: {0}', run.cwd),
      ...(dropped === 0 ? [] : [vscode.l10n.t('{0} older records were dropped from memory', dropped)]),
    ].join('\n');
  }

  /** A file that was closed gets a new id, or VS Code would expand it, and so read it, again at once. */
  protected override expansionId(): string {
    const closed = isFileRun(this.run) ? this.sources.fileRuns.timesClosed(this.run) : 0;
    return closed === 0 ? this.id : `${this.id}:${closed}`;
  }

  protected draw(): vscode.TreeItem {
    const { run } = this;
    const now = this.sources.now();
    const isLatest = this.sources.runs.latestOf(run.name) === run;
    const label = labelOf(run, now);
    const item = new vscode.TreeItem(label, isLatest ? Expanded : Collapsed);
    const activity = activityOf(run, activeUntil(run, now));
    // The label has the start time, unless the run is running.
    const started = run.state.type === 'running' ? [clock(run.startedAt)] : [];
    const facts = isFileRun(run) ? [byteSize(run.size)] : [...started, run.level];
    const state = describeState(run, now);
    const hint = needsSession(run) ? [vscode.l10n.t('no session yet')] : [];
    // The row is cut at its end, and its icon shows the state.
    item.description = [...activity, state, ...hint, ...facts].join(' · ');
    item.contextValue = contextOf('run', actionsOf(run));
    item.iconPath = runIcon(run, now);
    item.accessibilityInformation = accessibleLabel(
      vscode.l10n.t('Run {0}', run.state.type === 'running' || isFileRun(run) ? label : run.name),
      describeState(run, now),
      ...activity,
      vscode.l10n.t('Started: {0}', clock(run.startedAt)),
      vscode.l10n.t('Level: {0}', run.level),
    );
    return item;
  }
}

/** Whether it logs little until a session is opened. */
function needsSession(run: RunView): boolean {
  return actionsOf(run).has('newSession') && run.log.sessions.length === 0;
}

/** What the run does, unless its termination says the same. */
function activityOf({ log, state }: RunView, now: number): string[] {
  const isSame = log.connection.summary?.worst?.code === 'agent-ended';
  if (state.type === 'ended' && (isSame || state.termination.cause?.what !== undefined)) return [];
  return describeActivityOf(log.connection, now);
}

/** The agent's own name and version while it runs; otherwise when the run started. */
function labelOf(run: RunView, now: number): string {
  if (isFileRun(run)) return `${oneLine(run.name, 80)} ${shortTime(run.startedAt, now)}`;
  if (run.state.type !== 'running') return clock(run.startedAt);
  // `agentInfo` in ACP, `info` in its version 2, `serverInfo` in MCP.
  const { agentInfo, info, serverInfo } = run.state.agent;
  const own = objectOf(agentInfo ?? info ?? serverInfo);
  const name = textOf(own['title']) ?? textOf(own['name']) ?? run.name;
  const version = textOf(own['version']);
  return oneLine(version === undefined ? name : `${name} ${version}`, 80);
}
