import { l10n, shownCount, shownDate, translate } from '../../../kit/translate';
import * as vscode from 'vscode';
import { shownLine } from '../../../../text/text';
import type { SaverId } from '../../../../agents/agents';
import type { FileRun } from '../../../../past/files/fileRun';
import { displayOf } from '../../../../text/translator';
import type { SavedSession } from '../../../../past/saved/savedSession';
import type { SavedSessions } from '../../../../past/saved/list/savedSessions';
import type { UsedLately, UsedSince } from '../../../../past/saved/list/usedTokens';
import type { KnownQuota } from '../../../../work/usage/quotas';
import { isReset } from '../../../../work/usage/quotas';
import { accessibleLabel, relativeTime } from '../format';
import { ExpiringRow } from './expiringRow';
import { MoreRow } from './moreRow';
import { NoteRow } from './noteRow';
import { Row } from './row';
import type { RowSources } from './rowSources';
import type { SavedListing } from '../../../../past/saved/list/savedListing';
import { listSaved, signatureOf } from '../../../../past/saved/list/savedListing';
import { SavedSessionRow } from './savedSessionRow';

/** An agent that saved sessions on this machine: above them. */
export class SavedAgentRow extends Row {
  static readonly context = 'savedAgent openSavedSession showUsage keepCopy';
  readonly id: string;
  /** When its newest session changed, in milliseconds since the epoch; 0 before it is known. */
  newestAt = 0;
  private total = 0;
  private listing: SavedListing | undefined;
  private pages = 1;
  private showsAll = false;
  override isUnfolded = false;
  private watch: { dispose(): void } | undefined;
  private refreshing: Promise<void> | undefined;
  private isOutdated = false;
  /** As of the last hover. */
  private used: Awaited<ReturnType<SavedSessions['used']>> | undefined;
  /** Stops listing for a filter that doesn't apply anymore. */
  private listingFor = new AbortController();
  private readonly rows = new Map<string, SavedSessionRow>();
  private readonly older: MoreRow;
  private readonly allFolders: MoreRow;
  private note: NoteRow | undefined;
  private readonly expiring: ExpiringRow;

  constructor(
    readonly parent: Row & { readonly isOnScreen: boolean },
    readonly agent: SaverId,
    private readonly sessions: SavedSessions,
    private readonly sources: RowSources,
  ) {
    super();
    this.id = `saved:${agent}`;
    this.older = new MoreRow(this, `savedMore:${agent}:older`, {
      icon: 'fold-down',
      title: vscode.l10n.t('Show Older Sessions'),
      about: () => this.lookedThrough(),
      show: () => this.showOlder(),
    });
    this.expiring = new ExpiringRow(this, agent, sessions, () => sources.now());
    this.allFolders = new MoreRow(this, `savedMore:${agent}:folders`, {
      icon: 'folder-library',
      title: vscode.l10n.t('Show All Folders'),
      show: () => this.showAllFolders(),
    });
  }

  /** Looks for its newest session. Answers whether there is one, or a problem to show. */
  async look(): Promise<boolean> {
    const list = await this.sessions.list(this.agent, { limit: 1 });
    const [newest] = list.sessions;
    this.newestAt = newest?.lastAt ?? newest?.modifiedAt ?? 0;
    this.total = list.total;
    return newest !== undefined || list.problem !== undefined;
  }

  override async load(): Promise<void> {
    if (!this.listing) await this.refresh();
    this.unfolded(true);
  }

  override unfolded(isUnfolded: boolean): void {
    super.unfolded(isUnfolded);
    this.updateWatch();
  }

  /** Watches the agent's folder exactly while its sessions are on screen. */
  updateWatch(): void {
    const isWatched = this.isUnfolded && this.parent.isOnScreen;
    if (isWatched === (this.watch !== undefined)) return;
    this.watch?.dispose();
    this.watch = isWatched ? this.sessions.watch(this.agent) : undefined;
    // Not at first: then they have just been listed.
    if (isWatched && this.listing?.isOld === true) void this.renew();
    if (!isWatched && this.listing) this.listing = { ...this.listing, isOld: true };
  }

  /** Call this when another filter applies. */
  filterChanged(): void {
    this.listingFor.abort();
    this.listingFor = new AbortController();
    this.pages = 1;
    if (this.isUnfolded) void this.renew();
    else this.listing = undefined;
  }

  /** Lists the sessions again, and draws what changed. */
  async renew(): Promise<void> {
    const before = this.signature();
    await this.refresh();
    if (this.signature() !== before) this.sources.redraw(this);
  }

  /** Changes with everything that is drawn below it. */
  private signature(): string {
    const { listing, note } = this;
    return JSON.stringify([listing && signatureOf(listing), note?.tooltip(), this.expiring.count]);
  }

  /** Draws times again, and looks whether running sessions still run. */
  tick(redraw: (row: Row) => void): void {
    if (!this.watch) return;
    for (const row of this.rows.values()) redraw(row);
    if (this.listing?.sessions.some(({ running }) => running === 'yes')) void this.renew();
  }

  private async showOlder(): Promise<void> {
    this.pages += 1;
    await this.renew();
  }

  private async showAllFolders(): Promise<void> {
    this.showsAll = true;
    this.pages = 1;
    await this.renew();
  }

  override children(): readonly Row[] {
    const { listing } = this;
    const open = this.sources.fileRuns.open.filter(({ info }) => info.saved?.agent === this.agent);
    const listed = listing?.sessions.map((session) => this.sessionRow(session)) ?? [];
    const unlisted = open.map((run) => this.row(run)).filter((row) => !listed.includes(row));
    return [
      ...(this.expiring.count > 0 && !this.sources.saved.filter ? [this.expiring] : []),
      ...unlisted,
      ...listed,
      ...(this.note ? [this.note] : []),
      ...(listing?.hasOlder === true ? [this.older] : []),
      ...(listing?.hasOtherFolders === true ? [this.allFolders] : []),
    ];
  }

  /** The row of a run that is open, or was listed. */
  row(run: FileRun): SavedSessionRow {
    const known = this.rows.get(run.id);
    if (known?.file === run) return known;
    const row = new SavedSessionRow(run, known?.session, this.sources, this);
    this.rows.set(run.id, row);
    // VS Code still shows the one before, for example if the session was opened by a search.
    if (known) this.sources.redraw(this);
    return row;
  }

  /** Drops the row of a run that was closed; it can be opened again. */
  forget(run: FileRun): void {
    this.rows.delete(run.id);
    this.sources.redraw(this);
  }

  dispose(): void {
    this.watch?.dispose();
    this.watch = undefined;
    this.isUnfolded = false;
  }

  override async prepareTooltip(): Promise<void> {
    for (const [, { file, session }] of this.rows) {
      if (session && file.state.type === 'following') {
        this.sessions.noteUsed(session, file.log.spans({ kinds: ['turn', 'subagent'] }));
      }
    }
    this.used = await this.sessions.used(this.agent).catch(() => undefined);
    // For the next time.
    if (this.used && this.used.week.unsure > 0) void this.sessions.countLong(this.agent);
  }

  override tooltip(): string {
    const folders = this.sessions.foldersOf(this.agent).map((folder) => shownLine(folder, 500));
    const { used } = this;
    const limits = used?.limits.map((limit) => limitText(limit, this.sources.now())) ?? [];
    return [...(used ? usedText(used) : []), ...limits, ...folders].join('\n');
  }

  protected draw(): vscode.TreeItem {
    const { name } = this;
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
    const facts = [
      ...(this.total > 0 ? [this.count()] : []),
      ...(this.newestAt > 0 ? [relativeTime(this.sources.now() - this.newestAt)] : []),
    ];
    item.description = facts.join(' · ');
    item.iconPath = new vscode.ThemeIcon('robot');
    item.contextValue = SavedAgentRow.context;
    item.accessibilityInformation = accessibleLabel(vscode.l10n.t('Saved sessions of {0}', name), ...facts);
    return item;
  }

  /** Its display name. */
  get name(): string {
    return this.sessions.nameOf(this.agent);
  }

  /** How many sessions it has, and how many of them the filter leaves. */
  private count(): string {
    const { total, listing } = this;
    const filtered = this.sources.saved.filter && listing?.filtered;
    if (filtered !== undefined) {
      const shown = `${shownCount(filtered)}${listing?.hasOlder === true ? '+' : ''}`;
      return vscode.l10n.t('{0} of {1} sessions', shown, shownCount(total));
    }
    return total === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', shownCount(total));
  }

  private lookedThrough(): string {
    const { read, total = 0 } = this.listing ?? {};
    if (read === undefined) return '';
    return vscode.l10n.t('{0} of {1} looked through', shownCount(read), shownCount(total));
  }

  private sessionRow(session: SavedSession): SavedSessionRow {
    const info = this.sessions.open(session);
    const known = this.rows.get(info.id);
    const isSame = known?.session && isUnchanged(known.session, session) && known.file.state.type === 'unread';
    const run = isSame ? known.file : this.sources.fileRuns.saved(info);
    const row = this.row(this.sources.fileRuns.open.find(({ id }) => id === info.id) ?? run);
    row.session = session;
    return row;
  }

  /** One at a time: changes that come meanwhile are looked at afterwards. */
  private refresh(): Promise<void> {
    this.isOutdated = true;
    return (this.refreshing ??= this.read().finally(() => (this.refreshing = undefined)));
  }

  private async read(): Promise<void> {
    while (this.isOutdated) {
      this.isOutdated = false;
      await this.list();
    }
  }

  private async list(): Promise<void> {
    const { pages, showsAll } = this;
    const { folders, filter } = this.sources.saved;
    const { signal } = this.listingFor;
    try {
      const listing = await listSaved(this.sessions, this.agent, { folders, filter, pages, showsAll, signal });
      await this.expiring.look();
      if (!signal.aborted) this.use(listing);
    } catch (error) {
      if (signal.aborted) return;
      this.note = new NoteRow(
        this,
        vscode.l10n.t("These sessions can't be read: {0}", translate(displayOf(error))),
        'warning',
      );
    }
  }

  private use(listing: SavedListing): void {
    this.listing = listing;
    this.total = listing.total;
    const [newest] = listing.sessions;
    this.newestAt = Math.max(this.newestAt, newest?.lastAt ?? newest?.modifiedAt ?? 0);
    const { notice, problem = notice } = listing;
    if (problem !== undefined) this.note = new NoteRow(this, translate(problem), 'warning');
    else if (listing.sessions.length > 0) this.note = undefined;
    else this.note = new NoteRow(this, noneOf(listing), 'info');
    const ids = new Set(listing.sessions.map((session) => this.sessions.open(session).id));
    for (const [id, { file }] of this.rows) {
      if (!ids.has(id) && !this.sources.fileRuns.open.includes(file)) this.rows.delete(id);
    }
  }
}

/** A limit as it was reported last: old figures say how old they are, and whether they still hold. */
function limitText(limit: KnownQuota, now: number): string {
  const { name, usedPercent, resetsAt, at } = limit;
  const age = relativeTime(now - at);
  const used = vscode.l10n.t(
    'Limit {0}: {1} % used ({2})',
    shownLine(name, 60),
    shownCount(Math.floor(usedPercent)),
    age,
  );
  if (resetsAt === undefined) return used;
  return isReset(limit, now)
    ? vscode.l10n.t('{0}, has reset since', used)
    : vscode.l10n.t('{0}, resets {1}', used, shownDate(resetsAt));
}

/** What its sessions used lately; empty if there are none. */
function usedText({ today, week, sessions, isSilent }: UsedLately): readonly string[] {
  if (sessions === 0) return [];
  if (isSilent) return [vscode.l10n.t("Tokens: unknown, its sessions of the last 7 days don't say")];
  return [
    vscode.l10n.t('Today: {0}', usedAmount(today)),
    vscode.l10n.t('Last 7 days: {0}', usedAmount(week)),
    ...(week.costUsd === 0 && week.tokens > 0 ? [noCostText()] : []),
    ...(week.unsure > 0 ? [partsText(week.unsure)] : []),
    ...(week.isCut ? [vscode.l10n.t('At least: only the newest {0} sessions are counted.', shownCount(sessions))] : []),
  ];
}

function noCostText(): string {
  return vscode.l10n.t("Cost: its sessions don't say. Show Tokens and Cost… computes it by {0}.", 'agentLogs.prices');
}

function partsText(unsure: number): string {
  return unsure === 1
    ? vscode.l10n.t('At least: 1 long session is counted by its beginning and end until it has been read.')
    : vscode.l10n.t(
        'At least: {0} sessions are counted by their beginnings and ends until they have been read.',
        unsure,
      );
}

function usedAmount({ tokens, costUsd, unsure, isCut }: UsedSince): string {
  const count = l10n.t('{0} tokens', { tokens });
  const amount = costUsd > 0 ? `${count}, ${l10n.t('{0}', { usd: costUsd })}` : count;
  return unsure === 0 && !isCut ? amount : vscode.l10n.t('at least {0}', amount);
}

function noneOf({ filtered, read }: SavedListing): string {
  if (filtered === undefined) return vscode.l10n.t('No saved sessions');
  if (read === undefined) return vscode.l10n.t('No session matches');
  return vscode.l10n.t('No match in the newest {0} sessions', shownCount(read));
}

function isUnchanged(before: SavedSession, now: SavedSession): boolean {
  return (
    before.size === now.size &&
    before.modifiedAt === now.modifiedAt &&
    before.running === now.running &&
    before.kept?.at === now.kept?.at
  );
}
