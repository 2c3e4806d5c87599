import type { Completion } from '../../query/completion';
import { completeIn } from '../../query/completion';
import { parse } from '../../query/language';
import type { RegexRunner } from '../../store/regexRunner';
import type { TurnQuery } from './turnQuery';
import { findTurns, suggestTurns, turnLanguage } from './turnQuery';
import type { Translator } from '../../text/translator';
import type { ExplorerRun } from '../../runLog/explorerRun';
import type { Span } from '../../timeline/span';
import { endOf, workKinds } from '../../timeline/span';
import { tryQuery } from '../page/filterText';
import type { ArgsOf, Handlers, Tab, TurnsResult } from '../page/messages';
import type { FarEnd, JoinedRun } from '../../runLog/joins/joinedRun';
import { isServer } from '../../runLog/joins/joinedRun';
import { bothEnds, endsText } from './bothEnds';
import type { Lane, ShownSpan } from './lanes';
import { Lanes } from './lanes';
import type { BothEnds } from './turnMessages';
import { spanRows } from './turnRows';
import type { Changes } from '../../timeline/changes';
import { changesIn, spansWithin } from '../../timeline/changes';
import { shownText } from '../../text/text';

/** How many of the oldest turns and their parts the page gets before all others. */
const oldestRows = 500;
/** Most characters of a diff as text. */
const maxDiff = 200_000;

export interface TurnAnswersOptions {
  readonly l10n: Translator;
  /** Until when what is open is known to last, in milliseconds since the epoch. */
  now(): number;
  readonly regex: RegexRunner;
  copy(text: string): PromiseLike<void>;
  /** Shows what a span changed in diff editors. @param file its path; all if absent */
  showChanges(id: string, file: string | undefined): void;
  /** What a span changed as text, for pages without an editor. */
  diffOf?(span: Span): string | undefined;
  /** Compares a turn with another that the user picks. */
  compare(id: string): void;
  /** Where tool calls went, and where requests came from, by the ID of their span; nothing if only this run is there. */
  readonly far?: {
    /** The run itself. */
    readonly run: JoinedRun;
    ends(): ReadonlyMap<string, readonly FarEnd[]>;
    /** Shows a record of another run. */
    open(run: FarEnd['run'], at: { readonly seq: number; readonly tab: Tab }): void;
  };
}

type TurnHandlers = Handlers['turns'];

/** Answers what the Turns tab asks about a run. */
export class TurnAnswers implements TurnHandlers {
  /** The filter that was set last. */
  private query: TurnQuery | undefined;
  /** The spans that the page has. */
  private spans: readonly ShownSpan[] = [];
  private farEnds: ReadonlyMap<string, readonly FarEnd[]> = new Map();
  private readonly lanes: Lanes;
  /** IDs of the spans that the last usable filter matched; everything if absent. */
  private matches: ReadonlySet<string> | undefined;

  constructor(
    private readonly run: ExplorerRun,
    private readonly options: TurnAnswersOptions,
  ) {
    this.lanes = new Lanes(options.l10n);
  }

  async find({ q, rows, seq }: ArgsOf<'turns.find'>): Promise<TurnsResult> {
    const { log } = this.run;
    const { regex, l10n } = this.options;
    const now = this.options.now();
    if (rows !== 'same') {
      this.farEnds = this.options.far?.ends() ?? this.farEnds;
      this.spans = this.lanes.below(this.allSpans(), this.farEnds, now);
    }
    const { spans } = this;
    const query = (this.query = parse(q, turnLanguage));
    const { text, result } = await tryQuery(query, l10n, () =>
      findTurns(spans, query, { now, titleOf: this.titleOf, regex }),
    );
    if (result && query === this.query) {
      this.matches = query.terms.length === 0 ? undefined : new Set([...result].map(({ id }) => id));
    }
    const { matches } = this;
    // Ten thousand rows take VS Code a few hundred milliseconds to pass on.
    const isBeginning = rows === 'oldest' && spans.length > 2 * oldestRows;
    const span = seq === null ? undefined : this.spanOf(seq, now);
    const sent = isBeginning ? spans.slice(0, oldestRows) : spans;
    return {
      rows: rows === 'same' ? null : spanRows(sent, this.run, now, l10n, this.farEnds),
      isBeginning,
      shown: matches ? withParents(sent, matches) : null,
      total: matches ? spans.filter(({ id }) => matches.has(id)).length : spans.length,
      now,
      ...(span && { span: span.id }),
      dropped: log.droppedSpans,
      ...text,
    };
  }

  async copy({ id }: ArgsOf<'turns.copy'>): Promise<void> {
    const { options } = this;
    const row = spanRows(this.spans, this.run, options.now(), options.l10n).find((one) => one.id === id);
    if (!row) return;
    const parts = [row.title, row.summary, row.changes, row.outcome, row.detail, row.usage, row.jump];
    const ends = this.ends({ id });
    await options.copy([...parts.filter((part) => part !== ''), ...(ends ? endsText(ends) : [])].join('\n'));
  }

  compare({ id }: ArgsOf<'turns.compare'>): void {
    this.options.compare(id);
  }

  showChanges({ id, file }: ArgsOf<'turns.showChanges'>): void {
    const path = file === null ? undefined : this.changesOf(id)?.files[file]?.path;
    if (file === null || path !== undefined) this.options.showChanges(id, path);
  }

  changes({ id }: ArgsOf<'turns.changes'>): string {
    const diffs = spansWithin(this.allSpans(), (span) => span.id === id).flatMap(
      (span) => this.options.diffOf?.(span) ?? [],
    );
    return shownText(diffs.join('\n\n').slice(0, maxDiff));
  }

  private changesOf(id: string): Changes | undefined {
    return changesIn(spansWithin(this.allSpans(), (span) => span.id === id));
  }

  across({ id }: ArgsOf<'turns.across'>): void {
    const { far } = this.options;
    const lane = this.spans.find((one) => one.id === id)?.lane;
    if (lane) return far?.open(lane.run, { seq: lane.seq, tab: lane.kind === 'mcp' ? 'wire' : 'log' });
    const end = this.farEnds.get(id)?.at(-1);
    if (end) far?.open(end.run, { seq: end.span.firstSeq, tab: isServer(end.run) ? 'wire' : 'turns' });
  }

  ends({ id }: ArgsOf<'turns.ends'>): BothEnds | undefined {
    const { far, l10n } = this.options;
    const shown = this.spans.find((one) => one.id === id);
    if (!far || !shown) return undefined;
    const { lane, parent } = shown;
    const { run } = far;
    const ownId = lane ? (parent ?? '') : id;
    const span = run.log.span(ownId);
    const ends = (this.farEnds.get(ownId) ?? []).filter((end) => !lane || isOf(lane, end));
    const [other] = ends;
    if (!span || !other) return undefined;
    return isServer(other.run) ? bothEnds({ run, span }, ends, l10n) : bothEnds(other, [{ run, span }], l10n);
  }

  complete({ text, caret }: ArgsOf<'turns.complete'>): readonly Completion[] {
    return completeIn(turnLanguage, (key) => suggestTurns(this.allSpans(), key, this.titleOf), text, caret);
  }

  /** The shortest span of its session that covers a record. */
  private spanOf(seq: number, now: number): Span | undefined {
    const sessionId = this.run.log.store.get(seq)?.sessionId;
    const lengthOf = (span: Span): number => endOf(span, now) - span.startedAt;
    return this.spans
      .filter(({ firstSeq, lastSeq, lane }) => !lane && seq >= firstSeq && seq <= lastSeq)
      .filter((span) => sessionId === undefined || span.sessionId === sessionId)
      .reduce<Span | undefined>((best, span) => (best && lengthOf(best) <= lengthOf(span) ? best : span), undefined);
  }

  private allSpans(): readonly Span[] {
    return this.run.log.spans({ kinds: workKinds });
  }

  private readonly titleOf = (sessionId: string): string | undefined => this.run.log.find(sessionId)?.title;
}

/** Whether a row is this request. */
function isOf({ kind, run, seq }: Lane, end: FarEnd): boolean {
  return kind === 'mcp' && run === end.run && seq === end.span.firstSeq;
}

/** Positions of the spans that match, of what they are part of, and of their lanes. */
function withParents(spans: readonly ShownSpan[], matches: ReadonlySet<string>): readonly number[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const kept = new Set<string>();
  for (const span of spans) {
    if (!matches.has(span.id)) continue;
    for (let at: Span | undefined = span; at && !kept.has(at.id); at = byId.get(at.parent ?? '')) kept.add(at.id);
  }
  for (const { id, parent = '', lane } of spans) if (lane && kept.has(parent)) kept.add(id);
  return spans.flatMap(({ id }, index) => (kept.has(id) ? [index] : []));
}
