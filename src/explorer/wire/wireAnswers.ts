import type { Completion } from '../../query/completion';
import { completeIn } from '../../query/completion';
import { nextAround, nextIndex } from '../../query/nextIndex';
import { parse } from '../../query/language';
import { localTime } from '../../text/format';
import { shownLine, shownText } from '../../text/text';
import type { WireBodies } from '../../runLog/wire/wireBodies';
import type { WireEntry } from '../../runLog/wire/wireRows';
import type { WireQuery } from './wireQuery';
import { suggestWire, wireLanguage } from './wireQuery';
import type { WireResult } from './wireResult';
import { findWire } from './wireResult';
import { hasFailed } from '../../work/outcome';
import type { RegexRunner } from '../../store/regexRunner';
import type { Translator } from '../../text/translator';
import type { ExplorerRun } from '../../runLog/explorerRun';
import { tryQuery } from '../page/filterText';
import type { ArgsOf, Found, WireResult as FilterState, Handlers } from '../page/messages';
import { rowPage } from '../page/messages';
import { nextText } from '../page/nextText';
import { firstWireFilter } from '../page/pageState';
import { cutText } from '../record/recordDetails';
import type { SessionTags } from '../page/rows';
import { sessionName, sessionTags } from '../page/rows';
import type { WireBody, WireRow, WireText } from './wireMessages';

/** Longer JSON stays on one line, in UTF-16 units. */
const maxPretty = 1024 * 1024;
const maxMethod = 200;
const nothing: WireResult = {
  rows: new Uint32Array(),
  counts: { requests: 0, notifications: 0, http: 0, errors: 0, pending: 0 },
  from: 0,
  to: 0,
};

export interface WireAnswersOptions {
  readonly l10n: Translator;
  /** Until when what is pending is known to last, in milliseconds since the epoch. */
  now(): number;
  readonly regex: RegexRunner;
  bodiesOf(entry: WireEntry): Promise<WireBodies>;
  /** What to say if a body isn’t complete. */
  readonly missingNote: () => string;
  copy(text: string): PromiseLike<void>;
}

type WireHandlers = Handlers['wire'];

/** Answers what the Wire tab asks about a run. */
export class WireAnswers implements WireHandlers {
  /** The filter that was set last, and the matches of the last one that was finished. */
  private query: WireQuery | undefined;
  private result: WireResult | undefined;

  constructor(
    private readonly run: ExplorerRun,
    private readonly options: WireAnswersOptions,
  ) {}

  async find(asked: ArgsOf<'wire.find'>): Promise<FilterState> {
    const found = await this.search(asked);
    const { total, counts } = found;
    const isOpening = asked.rows !== 'none' && asked.q === firstWireFilter;
    if (!isOpening || total > 0 || counts.notifications === 0) return found;
    return { ...(await this.search({ ...asked, q: '' })), q: '' };
  }

  private async search({ q, by, direction, row, seq, rows: wanted }: ArgsOf<'wire.find'>): Promise<FilterState> {
    const { wire } = this.run.log;
    const now = this.options.now();
    const query = (this.query = parse(q, wireLanguage));
    const titleOf = (id: string): string | undefined => this.run.log.find(id)?.title;
    const { regex, l10n } = this.options;
    const { text, result = this.result ?? nothing } = await tryQuery(query, l10n, () =>
      findWire(wire, query, { by, direction }, { now, titleOf, regex }),
    );
    if (query === this.query) this.result = result;
    const { rows, counts, from, to } = result;
    const asked = seq === null ? undefined : this.rowOfRecord(seq);
    const isHidden = asked !== undefined && !rows.includes(asked);
    const id = isHidden ? row : (asked ?? row);
    const place = id === null ? undefined : { id, index: rows.indexOf(id) };
    const shown = place && place.index >= 0 ? place.index - rowPage : wanted === 'last' ? rows.length - 2 * rowPage : 0;
    const start = Math.floor(Math.max(0, shown) / rowPage) * rowPage;
    return {
      total: rows.length,
      of: wire.count,
      dropped: wire.dropped,
      counts,
      from,
      to,
      now,
      ...text,
      ...(place && { place }),
      ...(isHidden && { hidden: asked }),
      ...(wanted !== 'none' && { first: { from: start, rows: this.rowsOf(result, start, 3 * rowPage) } }),
    };
  }

  rows({ from, count }: ArgsOf<'wire.rows'>): readonly WireRow[] {
    return this.rowsOf(this.result ?? nothing, from, count);
  }

  private rowsOf({ rows }: WireResult, from: number, count: number): readonly WireRow[] {
    const entries = [...rows.subarray(from, from + count)].flatMap((row) => this.run.log.wire.get(row) ?? []);
    const tags = sessionTags(this.run.log);
    return entries.map((entry) => this.rowOf(entry, tags));
  }

  private rowOfRecord(seq: number): number | undefined {
    const { wire, store } = this.run.log;
    const { kind = 'activity' } = store.get(seq) ?? {};
    return wire.rowOf(seq, kind === 'activity' || kind === 'notice' || kind === 'wire');
  }

  private rowOf({ sessionId, size, answerSize, took, code, method, ...entry }: WireEntry, tags: SessionTags): WireRow {
    const { carried, row, at, kind, direction, status, seq } = entry;
    return {
      row,
      at,
      kind,
      direction,
      method: shownText(shownLine(method, maxMethod)),
      carried: shownText(this.run.log.store.sessionIds.inText(carried, sessionId)),
      session: sessionName(this.run.log, sessionId),
      tag: tags.get(sessionId) ?? '',
      status,
      code: code === undefined ? '' : String(code),
      size: size + answerSize,
      took: took ?? -1,
      seq,
    };
  }

  async body({ row }: ArgsOf<'wire.body'>): Promise<WireBody | undefined> {
    const entry = this.run.log.wire.get(row);
    if (!entry) return undefined;
    const { texts, note } = await this.textsOf(entry);
    const shown = texts.map(({ title, text }): WireText => ({ title: shownText(shownLine(title)), ...cutText(text) }));
    return { texts: shown, note };
  }

  /** The message and its answer, one below the other. */
  async copy({ row }: ArgsOf<'wire.copy'>): Promise<void> {
    const entry = this.run.log.wire.get(row);
    if (!entry) return;
    const { texts, note } = await this.textsOf(entry);
    const parts = texts.map(({ title, text }) => shownText(`${title}\n${text}`));
    await this.options.copy([...parts, ...(note === '' ? [] : [note])].join('\n\n'));
  }

  private async textsOf(entry: WireEntry): Promise<{ texts: { title: string; text: string }[]; note: string }> {
    const { message, answer } = await this.options.bodiesOf(entry);
    const { at, took = 0, id = '', direction } = entry;
    const [there, back] = direction === 'out' ? ['→', '←'] : ['←', '→'];
    const named = id === '' ? entry.method : `${entry.method} (id ${id})`;
    const texts: { title: string; text: string }[] = [];
    const show = (text: string): string => this.run.log.store.sessionIds.inText(pretty(text), entry.sessionId);
    if (message !== undefined) texts.push({ title: `${there} ${named} · ${localTime(at)}`, text: show(message) });
    if (answer !== undefined) {
      const title = this.options.l10n.t('{0} answer after {1} · {2}', back, { ms: took }, localTime(at + took));
      texts.push({ title, text: show(answer) });
    }
    const isWhole = message !== undefined && (answer !== undefined || entry.answerSeq === undefined);
    return { texts, note: isWhole ? '' : this.options.missingNote() };
  }

  next({ row, dir, what }: ArgsOf<'wire.next'>): Found {
    const { wire } = this.run.log;
    const rows = [...(this.result?.rows ?? [])];
    const from = row === null ? -1 : rows.indexOf(row);
    const session = row === null ? undefined : wire.get(row)?.sessionId;
    const fits = (one: number): boolean =>
      what === 'session' ? wire.get(one)?.sessionId !== session : hasFailed({ outcome: wire.get(one)?.status });
    const index = what === 'session' ? nextIndex(rows, from, dir, fits) : nextAround(rows, from, dir, fits);
    const id = rows[index];
    if (id === undefined) return { id: -1, index, said: nextText(this.options.l10n, what, 0, 0) };
    const all = rows.filter(fits);
    return { id, index, said: nextText(this.options.l10n, what, all.indexOf(id) + 1, all.length) };
  }

  complete({ text, caret }: ArgsOf<'wire.complete'>): readonly Completion[] {
    const { log } = this.run;
    const titleOf = (id: string): string | undefined => log.find(id)?.title;
    return completeIn(wireLanguage, (key) => suggestWire(log.wire, key, titleOf), text, caret);
  }
}

function pretty(text: string): string {
  if (text.length > maxPretty) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
