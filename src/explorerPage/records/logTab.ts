import { levels } from '../../text/level';
import { axisOf } from '../../query/timeAxis';
import type { LogResult, NextWhat, RecordAction, Row } from '../../explorer/page/messages';
import { firstGen } from '../../explorer/page/messages';
import type { PageState } from '../../explorer/page/pageState';
import { List } from '../list/list';
import type { Stretch } from '../list/rowCache';
import { RowCache } from '../list/rowCache';
import type { Found, Id, KeyActions, RowValue, Rows, Selection } from '../list/rows';
import { filterValue, noSession } from '../list/rows';
import type { Page } from '../page';
import { Timer } from '../kit/timer';
import { jumpItem } from '../menu/jumpItem';
import type { MenuItem } from '../menu/menuItem';
import type { Histogram } from './buckets';
import { RecordPane } from './recordPane';

/** Time until matches are counted for the first time, and until they are counted again, in milliseconds. */
const firstCount = 60;
const nextCount = 1000;
const histogramBuckets = 120;

/** The records of the run. */
export class LogTab implements Rows<Row> {
  readonly name = 'log';
  readonly cache = new RowCache<Row>();
  readonly isFollowable = true;
  readonly sort = { by: 'time', direction: 'ascending' } as const;
  readonly list: List<Row>;
  readonly record: RecordPane;
  /** Matches by level, 0 to 7; empty until they are counted. */
  levelCounts: readonly number[] = [];
  histogram: Histogram | undefined;
  /** How many problems of the run still hold. */
  problems = 0;
  /** Numbers the filters; results of earlier ones are ignored. */
  private gen = firstGen;
  private epoch = -1;
  private readonly counting = new Timer(() => this.count());

  constructor(
    private readonly page: Page,
    { q, seq, top, seen, isOpen, marks }: PageState,
  ) {
    this.record = new RecordPane(page);
    this.list = new List(page, this, { q, isOpen, marks: new Set(marks) }, { id: seq, top, seen });
  }

  idOf({ seq }: Row): number {
    return seq;
  }

  find(): void {
    this.gen++;
    this.page.ask('log.query', { gen: this.gen, q: this.list.state.q });
  }

  /** Answers whether these are the first matches of a filter. */
  onResult(result: LogResult): boolean {
    if (result.gen !== this.gen) return false;
    const { epoch, newest } = result;
    const hasMoved = epoch !== this.epoch;
    this.epoch = epoch;
    this.problems = result.problems;
    const isNew = this.list.found(result, { hasMoved }, () => newest && this.cache.put(newest.from, newest.rows));
    if (isNew) this.counting.restart(firstCount);
    else this.counting.start(nextCount);
    return isNew;
  }

  load(stretch: Stretch, use: () => void): void {
    this.page.ask('log.rows', stretch, (answer) => {
      if (answer?.epoch !== this.epoch) return;
      this.cache.put(stretch.from, answer.rows);
      use();
    });
  }

  locate(seq: Id): void {
    if (typeof seq === 'number') {
      this.page.ask('log.locate', { seq }, (place) => place && this.list.located(seq, place));
    }
  }

  next(from: Selection | undefined, dir: 1 | -1, what: NextWhat, use: (found: Found) => void): void {
    const start = dir === 1 ? 0 : Number.MAX_SAFE_INTEGER;
    const seq = Number(from?.id ?? start);
    this.page.ask('log.next', { seq, dir, what }, (found) => found && use(found));
  }

  open(seq: Id): void {
    this.record.open(Number(seq));
  }

  /** The selected record. */
  get seq(): number | undefined {
    const { current } = this.list;
    return typeof current === 'number' ? current : undefined;
  }

  copy(seq: Id): void {
    this.page.act('copyMessage', seq);
  }

  inOrder(marks: ReadonlySet<Id>): readonly Id[] {
    return [...marks].sort((a, b) => Number(a) - Number(b));
  }

  /**
   * Goes to the first match at a time or later.
   * @param q the new filter, if it changes
   */
  goToTime(time: number, q?: string): void {
    this.page.ask('log.at', { time: Math.max(0, Math.floor(time)) }, (seq) => {
      this.page.setFollow(false);
      if (seq !== undefined) this.list.goTo(seq, q);
    });
  }

  /** Shows a record and its details, whatever the filter. */
  reveal(seq: number): void {
    this.list.reveal(seq);
  }

  values({ session, logger, level, kind }: Row): readonly RowValue[] {
    return [
      { key: 'level', value: `=${levels[level]}`, cell: 'level' },
      { key: 'session', value: session === '' ? noSession : filterValue(session), cell: 'session' },
      ...(logger === '' ? [] : [{ key: 'logger', value: filterValue(logger), cell: 'logger' } as const]),
      { key: 'kind', value: kind },
    ];
  }

  commands({ seq }: Row): readonly (readonly MenuItem[])[] {
    const { page } = this;
    const { t, run } = page.view;
    const act = (label: string, name: RecordAction, key?: string): MenuItem => ({
      label,
      ...(key !== undefined && { key }),
      run: () => page.act(name, seq),
    });
    return [
      [jumpItem(page, 'wire', seq), jumpItem(page, 'turns', seq)],
      [
        act(t('Copy Message'), 'copyMessage', 'y'),
        act(t('Copy as JSON'), 'copyJson'),
        act(t('Copy as Markdown'), 'copyMarkdown'),
        act(t('Copy Raw Line'), 'copyRaw'),
      ],
      [
        ...(run.hasEditor ? [act(t('Open as Text'), 'openAsText'), act(t('Reveal in Tree'), 'revealInTree')] : []),
        ...(run.hasJournal ? [act(t('Open Journal at Line'), 'openJournal')] : []),
      ],
    ];
  }

  keys(): KeyActions {
    const seq = this.list.state.selection?.id;
    if (typeof seq !== 'number') return {};
    return { w: () => this.page.show('wire', seq), t: () => this.page.show('turns', seq) };
  }

  /** Asks for the counts of the chips, then of the histogram. */
  private count(): void {
    this.page.ask('log.levels', {}, (levelCounts) => {
      if (!levelCounts) return;
      this.levelCounts = levelCounts;
      this.page.update({});
      this.page.ask('log.histogram', { buckets: histogramBuckets }, (histogram) => {
        if (!histogram) return;
        const { from, to, breaks, counts, times } = histogram;
        this.histogram = { axis: axisOf({ from, to }, breaks), counts: new Uint32Array(counts), times };
        this.page.update({});
      });
    });
  }
}
