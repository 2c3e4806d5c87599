import * as vscode from 'vscode';
import type { Level, Threshold } from '../../../../text/level';
import { levels, rankOf, reaches } from '../../../../text/level';
import { wantedBetween, wantedCodes } from '../../../../query/compiledQuery';
import { isVisible } from '../../../../query/visibility';
import { hasConnection } from '../../../../wire/protocol';
import { sessionLabel } from '../../../../text/sessionLabel';
import { shownLine } from '../../../../text/text';
import { isGoingOn } from '../../../../diagnosis/sessionSummary';
import { actionsOfSession, isBusy } from '../../../../runs/actions';
import type { LevelCounts, LogGroup } from '../../../../runLog/logGroup';
import { activeUntil } from '../../../../past/files/fileRuns';
import type { RunView } from '../../../../runLog/runView';
import { costJumps, jumpText } from '../../../../timeline/costJumps';
import { workKinds } from '../../../../timeline/span';
import { spentText, summaryText, timesText } from '../../../../timeline/turnSummary';
import { contextText, usageDetails } from '../../../../timeline/usageText';
import type { OpenRequest } from '../../../../work/requests';
import { accessibleLabel, relativeTime, shortLabel } from '../format';
import { levelIcon } from '../icons';
import { describeActivityOf } from '../runText';
import { describeTrouble, troubleIn } from '../trouble';
import { MoreRow } from './moreRow';
import { RecordRow } from './recordRow';
import { RequestRow } from './requestRow';
import { contextOf, Row } from './row';
import type { RowSources } from './rowSources';
import { l10n, shownCount } from '../../../kit/translate';
import { isFileRun } from '../../../../past/files/fileRuns';
import { computedTotal, outerTurns } from '../../../../timeline/totalUsage';
import type { Span } from '../../../../timeline/span';

/** How many records, or sessions of a run, are shown at first; a row below them doubles it. */
export const pageSize = 50;

/** A row with groups below it. */
interface AboveGroup extends Row {
  readonly run: RunView;
  /** The row that is drawn for it. */
  readonly drawn: Row;
}

/** A session, or without a session id the connection: above its open requests and its records. */
export class GroupRow extends Row {
  readonly id: string;
  readonly run: RunView;
  /** The row that is drawn for it: itself, unless the row above it shows the same session. */
  readonly drawn: Row & { readonly run: RunView };
  private pages = 1;
  private readonly subagents: GroupRow[] = [];
  private readonly requests = new WeakMap<OpenRequest, RequestRow>();

  /**
   * @param above its run, or the session that started this one
   * @param isMerged true if the row above shows the same session
   */
  constructor(
    readonly above: AboveGroup,
    readonly sessionId: string | undefined,
    private readonly sources: RowSources,
    isMerged = false,
  ) {
    super({ run: above.run, sessionId });
    this.run = above.run;
    this.drawn = isMerged ? above : this;
    if (above instanceof GroupRow) above.subagents.push(this);
    this.id = sessionId === undefined ? `connection:${this.run.id}` : `session:${this.run.id}:${sessionId}`;
  }

  /** The `viewItem`, which also says whether there is a turn to cancel. */
  static contextOf(run: RunView, group: LogGroup): string {
    const kind = group.id === undefined ? 'connection' : 'session';
    return contextOf(kind, [...actionsOfSession(run, group), ...(isBusy(run, group) ? ['busy'] : [])]);
  }

  get parent(): Row {
    return this.above.drawn;
  }

  /** The session that is directly below the run: itself, unless it is a subagent's. */
  get top(): GroupRow {
    return this.above instanceof GroupRow ? this.above.top : this;
  }

  /** Open requests, subagents, then the newest records, then the row that loads older ones. */
  override children(): readonly Row[] {
    const { run, sessionId } = this;
    const visibility = { level: run.level, activity: this.sources.showsActivity() };
    const wanted = wantedCodes((record) => isVisible(record, visibility));
    const page = run.log.store.newest(sessionId, pageSize * this.pages, wantedBetween(wanted, 0, Infinity));
    const records = page.records.map((record) => new RecordRow(this.drawn, record));
    const more = page.older > 0 ? [this.olderRow(page.older)] : [];
    return [...this.openRequests(), ...this.subagents, ...records, ...more];
  }

  openRequests(): readonly RequestRow[] {
    const own = this.run.log.requests.filter(({ sessionId }) => sessionId === this.sessionId);
    return own.map((request) => {
      const known = this.requests.get(request) ?? new RequestRow(this.drawn, request, this.sources);
      this.requests.set(request, known);
      return known;
    });
  }

  /** Whether the user sees how long this request has been open. */
  showsTimeOf(method: string, since: number): boolean {
    if (this.isUnfolded !== true) return false;
    return this.openRequests().some(({ request }) => request.method === method && request.startedAt === since);
  }

  private olderRow(count: number): MoreRow {
    return new MoreRow(this.drawn, `older:${this.id}`, {
      icon: 'fold-down',
      title: vscode.l10n.t('Load Older Records'),
      count,
      show: () => {
        this.pages *= 2;
        this.sources.redraw(this.drawn);
      },
    });
  }

  override tooltip(): string {
    const { group } = this;
    return [
      this.title(),
      ...this.activity(),
      ...this.spent(),
      ...this.facts(),
      ...(group.currentMode === undefined ? [] : [vscode.l10n.t('Mode: {0}', shownLine(group.currentMode, 100))]),
    ].join('\n');
  }

  protected draw(): vscode.TreeItem {
    const { group, run } = this;
    const title = this.title();
    const activity = this.activity();
    const label = activity.length === 0 ? title : shortLabel(title);
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
    // While a turn runs, its summary changes all the time: it's in the tooltip only.
    const turn = this.isBusy ? [] : this.lastTurn(activity.length === 0 ? summaryText : spentText);
    const age = relativeTime(this.sources.now() - group.lastAt);
    item.description = [...activity, ...this.context(), ...turn, ...this.facts(), age].join(' · ');
    item.iconPath = iconOf(group);
    item.contextValue = GroupRow.contextOf(run, group);
    item.accessibilityInformation = accessibleLabel(
      this.sessionId === undefined ? title : vscode.l10n.t('Session {0}', title),
      item.description,
      group.worst && vscode.l10n.t('highest level: {0}', group.worst),
    );
    return item;
  }

  private get group(): LogGroup {
    return this.run.log.find(this.sessionId) ?? this.run.log.connection;
  }

  private title(): string {
    if (this.sessionId !== undefined) return sessionLabel(this.sessionId, this.group.title);
    return hasConnection(this.run.protocol) ? vscode.l10n.t('Connection') : vscode.l10n.t('Log');
  }

  /** The connection's activity is on the row of its run. */
  activity(): string[] {
    return this.sessionId === undefined
      ? []
      : describeActivityOf(this.group, activeUntil(this.run, this.sources.now()));
  }

  private get isBusy(): boolean {
    const { summary } = this.group;
    return summary !== undefined && isGoingOn(summary.activity);
  }

  /** How the current or the last turn spent its time, what it used, and why that is more than before. */
  spent(): string[] {
    const { run, sessionId } = this;
    const turn = sessionId === undefined ? undefined : run.log.lastTurn(sessionId);
    const jump = turn?.usage && costJumps(run.log.spans({ kinds: workKinds })).get(turn.id);
    const usage = turn?.usage ? usageDetails(turn.usage, l10n) : '';
    return [
      ...this.lastTurn(timesText),
      ...(usage === '' ? [] : [usage]),
      ...this.computed(turn),
      ...(jump ? [jumpText(jump, l10n)] : []),
    ];
  }

  /** What the last turn and the session cost by the user's prices, if the agent reports no cost. */
  private computed(turn: Span | undefined): string[] {
    const { run, sessionId, sources } = this;
    const prices = sources.prices();
    if (!turn || Object.keys(prices).length === 0) return [];
    const saved = isFileRun(run) ? run.info.saved?.model : undefined;
    const last = computedTotal([turn], saved, prices);
    if (!last) return [];
    const turns = outerTurns(run.log.spans({ sessionId, kinds: ['turn', 'subagent'] }));
    const all = computedTotal(turns, saved, prices);
    const areApart = turns.length > 1 && turns.every(({ usage }) => !usage || usage.basis === 'turn');
    return [
      vscode.l10n.t('Computed cost by your prices: {0}', l10n.t('{0}', { usd: last.usd })),
      ...(areApart && all?.isWhole === true
        ? [vscode.l10n.t('Computed cost of all its turns: {0}', l10n.t('{0}', { usd: all.usd }))]
        : []),
    ];
  }

  /** How full the model's context is. */
  private context(): string[] {
    const { run, sessionId } = this;
    const context = sessionId === undefined ? undefined : run.log.contextOf(sessionId);
    const text = context && contextText(context, l10n);
    return text === undefined ? [] : [text];
  }

  private lastTurn(describe: typeof summaryText): string[] {
    const { run, sessionId } = this;
    const summary =
      sessionId === undefined ? undefined : run.log.turnSummary(sessionId, activeUntil(run, this.sources.now()));
    return summary ? [describe(summary, l10n)] : [];
  }

  /** The problems that weren't settled, by level. */
  get standing(): LevelCounts {
    return this.group.standing;
  }

  /** Its records by level, and whether it was closed. */
  facts(): string[] {
    const closed = this.group.ended ? [vscode.l10n.t('closed')] : [];
    return [...describeCounts(this.group, this.run.level), ...closed];
  }
}

function iconOf({ id, worst }: LogGroup): vscode.ThemeIcon {
  if (worst && reaches(worst, 'warning')) return levelIcon(worst);
  return new vscode.ThemeIcon(id === undefined ? 'plug' : 'comment-discussion');
}

/** Counts of errors and warnings that weren't settled first, for narrow views; of records, and of those that the level hides. */
function describeCounts({ counts, standing }: LogGroup, level: Threshold): string[] {
  const sum = (some: readonly Level[]): number => some.reduce((total, each) => total + counts[each], 0);
  const [all, hidden] = [sum(levels), sum(levels.slice(0, rankOf(level)))];
  const records = all === 1 ? vscode.l10n.t('1 record') : vscode.l10n.t('{0} records', shownCount(all));
  return [
    ...describeTrouble(troubleIn([standing])),
    hidden === 0 ? records : `${records}, ${vscode.l10n.t('{0} below {1}', shownCount(hidden), level)}`,
  ];
}
