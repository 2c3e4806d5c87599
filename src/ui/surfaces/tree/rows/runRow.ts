import * as vscode from 'vscode';
import { isFailedEnd } from '../../../../wire/termination';
import { shownLine } from '../../../../text/text';
import { t } from '../../../../text/translator';
import { peerFirst } from '../../../../protocols/terms';
import { objectOf, textOf } from '../../../../text/json';
import { actionsOf } from '../../../../runs/actions';
import type { FileRun } from '../../../../past/files/fileRun';
import { activeUntil, isFileRun } from '../../../../past/files/fileRuns';
import type { RunView } from '../../../../runLog/runView';
import { accessibleLabel, clock, shortLabel, shortTime } from '../format';
import { runIcon } from '../icons';
import { runUri } from '../rowDecorations';
import { describeActivityOf, describeState } from '../runText';
import { describeTrouble, troubleIn } from '../trouble';
import { GroupRow, pageSize } from './groupRow';
import { MoreRow } from './moreRow';
import { contextOf, Row } from './row';
import type { RowSources } from './rowSources';
import { shownDate, shownSize } from '../../../kit/translate';
import { translateFor } from '../../../kit/translateFor';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** Where a run is in the tree. */
export interface Place {
  /** The row that it is under; `undefined` for a root. */
  readonly parent: Row | undefined;
  /** The row of its agent, if that shows the run as well because it is the agent's only one. */
  readonly shownBy?: Row | undefined;
}

/** A run, live or read from a file: above its sessions and its connection. */
export class RunRow extends Row {
  readonly id: string;
  private readonly known = new Map<string | undefined, GroupRow>();
  /** The rows of its sessions, without those of subagents, in order of appearance. */
  private readonly sessions: GroupRow[] = [];
  /** How many of its sessions were looked at. */
  private looked = 0;
  /** How many of the newest sessions are shown. */
  private shown = pageSize;

  /** @param placeOf where the run is now: a past run moves when its file is opened by the user */
  constructor(
    readonly run: RunView,
    private readonly sources: RowSources,
    private readonly placeOf: (run: RunView) => Place,
  ) {
    super({ run });
    this.id = `run:${run.id}`;
  }

  get parent(): Row | undefined {
    return this.placeOf(this.run).parent;
  }

  get drawn(): Row {
    return this.placeOf(this.run).shownBy ?? this;
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
    const from = this.look().length - this.shown;
    // The newest, and the one that the row itself shows.
    const isShown = ({ drawn }: GroupRow, index: number): boolean => index >= from || drawn === this;
    const older = this.sessions.filter((group, index) => !isShown(group, index));
    return [
      ...(older.length > 0 ? [this.olderRow(older)] : []),
      ...this.sessions.filter(isShown),
      this.group(undefined),
    ];
  }

  /** Shows a session, which may be older than those that are shown, and returns its row. */
  show(sessionId: string | undefined): GroupRow {
    const group = this.group(sessionId);
    const behind = this.look().length - this.sessions.indexOf(group.top);
    if (group.top.sessionId !== undefined && behind > this.shown) {
      this.shown = behind;
      this.sources.redraw(this.drawn);
    }
    return group;
  }

  /** Above the sessions, which are in order of appearance. It says what went wrong in those that are left out. */
  private olderRow(older: readonly GroupRow[]): MoreRow {
    return new MoreRow(this.drawn, `older:${this.id}`, {
      icon: 'fold-up',
      title: vscode.l10n.t('Load Older Sessions'),
      count: older.length,
      about: () => describeTrouble(troubleIn(older.map(({ standing }) => standing))).join(' · '),
      show: () => {
        this.shown *= 2;
        this.sources.redraw(this.drawn);
      },
    });
  }

  private look(): readonly GroupRow[] {
    const { sessions } = this.run.log;
    for (; this.looked < sessions.length; this.looked++) {
      const group = this.group(sessions[this.looked]?.id);
      if (group.above === this) this.sessions.push(group);
    }
    return this.sessions;
  }

  /** True for the session that the row itself shows. */
  protected isOwn(_sessionId: string | undefined): boolean {
    return false;
  }

  /** A subagent's session is below the one that started it. */
  private aboveGroup(sessionId: string | undefined): RunRow | GroupRow {
    const own = this.run.log.find(sessionId);
    const above = own?.parent === undefined ? undefined : this.run.log.find(own.parent);
    // Only one that began earlier, so that no two are below each other.
    return own && above && above.order < own.order ? this.group(above.id) : this;
  }

  /** Starts reading a past run. Records appear while it's read. */
  override async load(): Promise<void> {
    if (isFileRun(this.run) && this.run.state.type === 'unread') await this.sources.fileRuns.show(this.run);
  }

  override tooltip(): string {
    const { run } = this;
    const { dropped } = run.log.store;
    const { name = '', version = '' } = ownNameOf(run);
    const agent = shownLine(`${name} ${version}`, 100);
    return [
      `${run.name}: ${describeState(run, this.sources.now())}`,
      ...(agent === '' ? [] : [translateFor(run, t('{0}: {1}', peerFirst, agent))]),
      vscode.l10n.t('Started: {0}', shownDate(run.startedAt)),
      vscode.l10n.t('Level: {0}', run.level),
      ...(run.pid === undefined ? [] : [vscode.l10n.t('Process: {0}', run.pid)]),
      vscode.l10n.t('Command: {0}', shownLine(run.words.join(' '), 500)),
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
    const isLatest = this.sources.runs.latestOf(run.name) === run;
    const item = new vscode.TreeItem(this.label(), isLatest ? Expanded : Collapsed);
    this.describe(item, false);
    item.resourceUri = runUri(run);
    item.contextValue = contextOf('run', actionsOf(run));
    item.accessibilityInformation = accessibleLabel(vscode.l10n.t('Run {0}', this.fullLabel()), ...this.spoken());
    return item;
  }

  /** The name of a file is cut only for a cause: its beginning is often the same as that of others. */
  private label(): string {
    const { run } = this;
    const now = this.sources.now();
    const isWhole = isFileRun(run) && !hasFailed(run) && activityOf(run, activeUntil(run, now)).length === 0;
    return isWhole ? this.fullLabel() : `${shortLabel(nameOf(run))} ${shortTime(run.startedAt, now)}`;
  }

  private fullLabel(): string {
    const { run } = this;
    return `${shownLine(nameOf(run), 80)} ${shortTime(run.startedAt, this.sources.now())}`;
  }

  /** Draws the state of the run, for its own row, whose label has the time, or for that of its agent. */
  describe(item: vscode.TreeItem, isAgent: boolean): void {
    const { run } = this;
    // The row is cut at its end, and its icon shows the state.
    item.description = [...this.status(), ...this.about(isAgent)].join(' · ');
    item.iconPath = runIcon(run, this.sources.now());
  }

  /** Its state for screen readers. */
  spoken(): readonly string[] {
    const { run } = this;
    return [
      ...this.status(),
      vscode.l10n.t('Started: {0}', clock(run.startedAt)),
      vscode.l10n.t('Level: {0}', run.level),
    ];
  }

  /** What it does or why it ended, then its state. */
  private status(): readonly string[] {
    const { run } = this;
    const now = this.sources.now();
    const hint = needsSession(run) ? [vscode.l10n.t('no session yet')] : [];
    return [...activityOf(run, this.elapsedAt(now)), describeState(run, now), ...hint];
  }

  /** Until when its activity has lasted. Without a time if a row below has it: VS Code redraws all rows below this one with it. */
  private elapsedAt(now: number): number {
    const { run } = this;
    const { activity } = run.log.connection.summary ?? {};
    const isBelow =
      activity?.type === 'waiting-for-answer' &&
      this.drawn.isUnfolded !== false &&
      this.group(undefined).showsTimeOf(activity.method, activity.since);
    return isBelow ? activity.since : activeUntil(run, now);
  }

  private about(isAgent: boolean): readonly string[] {
    const { run } = this;
    if (isFileRun(run)) return [shownSize(run.size)];
    return isAgent ? [clock(run.startedAt), run.level] : [run.level];
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

/** The agent's own name stays when it ends. */
function nameOf(run: RunView): string {
  return isFileRun(run) ? run.name : (ownNameOf(run).name ?? run.name);
}

function hasFailed({ termination }: FileRun): boolean {
  return termination !== undefined && isFailedEnd(termination);
}

/** What the agent calls itself: `agentInfo` in ACP, `info` in its version 2, `serverInfo` in MCP. */
function ownNameOf({ agent = {} }: RunView): {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
} {
  const own = objectOf(agent['agentInfo'] ?? agent['info'] ?? agent['serverInfo']);
  return { name: textOf(own['title']) ?? textOf(own['name']), version: textOf(own['version']) };
}
