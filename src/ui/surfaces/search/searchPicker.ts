import { shownCount, translate } from '../../kit/translate';
import * as vscode from 'vscode';
import { displayOf } from '../../../text/translator';
import type { SessionLabel } from '../../../search/searchedSession';
import type { Hit, SearchEnd, SearchEvents, SearchProgress, SessionHits } from '../../../search/sessionSearch';
import type { Search } from '../../../search/searchQuery';
import { parseSearch } from '../../../search/searchQuery';
import { labelText } from '../../kit/notify';
import type { Heading } from '../../kit/pick';
import { pickItem } from '../../kit/pick';
import { relativeTime } from '../tree/format';
import type { PickableSession, RecentSession } from './recentSessions';
import { completeSearch } from '../../../search/searchCompletion';

/** How long to wait after the last key before searching, in milliseconds. */
const typingPause = 250;
/** How often hits are drawn while they come, in milliseconds: VS Code draws all items again each time. */
const drawPause = 150;
/** Shorter words are in nearly every line. */
const minLength = 2;

/** What the user picked: a hit, or the whole session. */
export interface PickedHit {
  readonly query: string;
  readonly session: PickableSession;
  /** `undefined` to show all hits of the session. */
  readonly hit: Hit | undefined;
}

type RunSearch = (query: string, events: SearchEvents) => Promise<SearchEnd>;
type Item = vscode.QuickPickItem & {
  readonly target?: PickedHit;
  /** Picking it only changes the search to this. */
  readonly completed?: string;
};

interface Group {
  readonly found: SessionHits;
  readonly label: SessionLabel | undefined;
}

export interface SearchPickerOptions {
  readonly title: string;
  /** The text to begin with. */
  readonly query: string;
  /** Shown while nothing is typed, and those with the words afterwards. */
  readonly recent: Promise<readonly (RecentSession | Heading)[]>;
}

/** A quick pick that offers recent sessions, searches all while the user types, and lists hits by session. */
export class SearchPicker {
  private readonly picker = vscode.window.createQuickPick<Item>();
  private readonly stopButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('debug-stop'),
    tooltip: vscode.l10n.t('Stop Searching'),
  };
  private groups: Group[] = [];
  /** What the search does, as in the title. */
  private state = '';
  private running: AbortController | undefined;
  private typing: NodeJS.Timeout | undefined;
  private drawing: NodeJS.Timeout | undefined;

  private recent: readonly (RecentSession | Heading)[] = [];

  constructor(
    private readonly search: RunSearch,
    private readonly options: SearchPickerOptions,
  ) {
    const { picker } = this;
    const { title, query } = options;
    picker.title = title;
    picker.placeholder = vscode.l10n.t('Words, or a filter such as agent:codex level:error timeout since:2d');
    picker.value = query;
    picker.ignoreFocusOut = true;
    picker.matchOnDescription = true; // Highlights the words.
  }

  /** Settles when the user has picked a hit, or closed the picker. */
  async pick(): Promise<PickedHit | undefined> {
    const { picker } = this;
    try {
      return await new Promise<PickedHit | undefined>((resolve) => {
        picker.onDidChangeValue(() => this.changed());
        picker.onDidTriggerButton(() => this.running?.abort());
        picker.onDidAccept(() => {
          const [picked] = picker.selectedItems;
          if (picked?.target) resolve(picked.target);
          if (picked?.completed !== undefined) this.complete(picked.completed);
        });
        picker.onDidHide(() => resolve(undefined));
        picker.show();
        void this.showRecent();
        this.changed();
      });
    } finally {
      this.running?.abort();
      clearTimeout(this.typing);
      clearTimeout(this.drawing);
      picker.dispose();
    }
  }

  /** What was typed last. */
  get query(): string {
    return this.picker.value.trim();
  }

  private changed(): void {
    clearTimeout(this.typing);
    this.running?.abort();
    // Not only once the user stops typing.
    if (this.completions().length > 0 || this.picker.items.some(isCompletion)) this.draw(this.state);
    this.typing = setTimeout(() => void this.start(), typingPause);
  }

  private complete(text: string): void {
    this.picker.value = text;
    this.changed();
  }

  private async start(): Promise<void> {
    const { query } = this;
    const running = new AbortController();
    this.running = running;
    this.groups = [];
    // A filter of sessions alone lists recent ones.
    if (query.length < minLength || parseSearch(query).records.terms.length === 0) {
      this.finish('');
      return;
    }
    this.picker.busy = true;
    this.picker.buttons = [this.stopButton];
    this.draw(vscode.l10n.t('Searching…'));
    const labels: Promise<void>[] = [];
    try {
      const end = await this.search(query, {
        signal: running.signal,
        onHits: (found) => labels.push(this.add(found, running)),
        onProgress: (progress) => {
          this.drawLater(running, progress);
        },
      });
      await Promise.all(labels);
      if (running !== this.running) return;
      this.finish(this.endText(end));
      if (this.picker.items.length === 0) this.picker.items = [nothingFound()];
    } catch (error) {
      if (running === this.running) this.finish(translate(displayOf(error)));
    }
  }

  private async add(found: SessionHits, running: AbortController): Promise<void> {
    const label = await found.session.label().catch(() => undefined);
    if (running === this.running) this.groups.push({ found, label });
  }

  private drawLater(running: AbortController, { searched, total }: SearchProgress): void {
    this.drawing ??= setTimeout(() => {
      this.drawing = undefined;
      if (running !== this.running || !this.picker.busy) return;
      const progress = vscode.l10n.t('{0} of {1} sessions', shownCount(searched), shownCount(total));
      this.draw(vscode.l10n.t('Searching… {0}', progress));
    }, drawPause);
  }

  private finish(state: string): void {
    this.picker.busy = false;
    this.picker.buttons = [];
    this.draw(state);
  }

  private endText(end: SearchEnd): string {
    const hits = this.groups.reduce((sum, { found }) => sum + found.hits.length, 0);
    const count = hits === 1 ? vscode.l10n.t('1 result') : vscode.l10n.t('{0} results', shownCount(hits));
    if (end === 'limited') return vscode.l10n.t('{0}, and more: narrow the search', count);
    if (end === 'stopped') return vscode.l10n.t('{0}, stopped', count);
    return count;
  }

  private draw(state: string): void {
    const { query } = this;
    if (query.length < minLength) return this.show(state, this.recent.map(recentItem));
    const search = parseSearch(query);
    const hits = this.groups.flatMap((group) => itemsOf(group, search.recordText));
    this.show(state, [...this.completions(), ...named(this.recent, search), ...hits]);
  }

  private completions(): readonly Item[] {
    const sessions = this.recent.flatMap((one) => ('facts' in one ? [one.facts] : []));
    return completeSearch(this.picker.value, sessions).map(({ term, text, about }) => {
      const description = about !== undefined && { description: translate(about) };
      return { label: `$(filter) ${labelText(term)}`, ...description, alwaysShow: true, completed: text };
    });
  }

  private async showRecent(): Promise<void> {
    this.picker.busy = true;
    this.recent = await this.options.recent.catch(() => []); // Searching reports what can't be read.
    if (this.query.length < minLength) this.finish('');
    else this.draw(this.state);
  }

  private show(state: string, items: readonly Item[]): void {
    const { picker } = this;
    const { title } = this.options;
    this.state = state;
    picker.title = state === '' ? title : `${title} · ${state}`;
    // Redrawing would move the selection away from the item that the user is on.
    const active = picker.activeItems[0]?.target;
    picker.keepScrollPosition = true;
    picker.items = items;
    const same = active?.hit && items.find(({ target }) => target && isSame(target, active));
    // Enter completes a value. Otherwise it opens the first hit, not the session above it.
    const isValue = items[0]?.completed?.endsWith(' ') === true;
    const next = same ?? (isValue ? items[0] : items.find(({ target }) => target?.hit !== undefined));
    if (next) picker.activeItems = [next];
  }
}

function recentItem(one: RecentSession | Heading): Item {
  if ('heading' in one) return pickItem(one);
  const { session, facts: _facts, ...texts } = one;
  return { ...texts, target: { query: '', session, hit: undefined } };
}

/** Recent sessions that have all the words in their names; the search finds words in the sessions. */
function named(recent: readonly (RecentSession | Heading)[], search: Search): readonly Item[] {
  const words = search.recordText.toLowerCase().split(/\s+/);
  return recent.flatMap((one) => {
    if ('heading' in one || !search.fits(one.facts)) return [];
    const text = [one.label, one.description, ...(one.detail === undefined ? [] : [one.detail])].join(' · ');
    if (!words.every((word) => text.toLowerCase().includes(word))) return [];
    const target = { query: '', session: one.session, hit: undefined };
    return [{ label: '$(history)', description: text, alwaysShow: true, target }];
  });
}

/**
 * A row for the session and one for each hit. VS Code drops separators while the user types, and sorts rows whose labels match; so labels are
 * icons, and texts are descriptions.
 */
function itemsOf({ found: { session, hits, hasMore }, label }: Group, query: string): readonly Item[] {
  const facts = [
    label?.title ?? session.key,
    ...(label?.agent === undefined ? [] : [label.agent]),
    relativeTime(Date.now() - (label?.lastAt ?? session.modifiedAt)),
    ...(hasMore ? [vscode.l10n.t('more than {0} results', hits.length)] : []),
  ];
  const row = (icon: string, text: string, hit: Hit | undefined): Item => {
    return { label: icon, description: text, alwaysShow: true, target: { query, session, hit } };
  };
  return [
    row('$(comment-discussion)', labelText(facts.join(' · '), 150), undefined),
    ...hits.map((hit) => row('$(quote)', labelText(hit.context, 200), hit)),
  ];
}

function nothingFound(): Item {
  const text = vscode.l10n.t('Nothing found. Try fewer or other words, or another filter.');
  return { label: '$(info)', description: text, alwaysShow: true };
}

function isCompletion({ completed }: Item): boolean {
  return completed !== undefined;
}

function isSame(a: PickedHit, b: PickedHit): boolean {
  return a.session.key === b.session.key && a.hit === b.hit;
}
