import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { parseQuery } from '../../log/query/parseQuery';
import { resolveTime } from '../../log/query/timeValue';
import type { Explorer } from '../explorer';
import { placed, share, styled } from '../styled';
import { clock } from '../text';
import type { Bar } from './bars';
import { barsOf } from './bars';
import { withTimes } from '../filter/queryText';
import type { Histogram } from './logTab';

/** Height of the drawing, which is stretched to the width of the page. */
const height = 36;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** How many records match over time, and a brush that writes `since:` and `until:` into the filter. */
export function HistogramView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t } = explorer.view;
  const { histogram, list } = explorer.log;
  const { q } = list.state;
  const [draft, setDraft] = useState<Range>();
  const box = useRef<HTMLDivElement>(null);
  // Hundreds of elements that seldom change: the page is drawn again at every keystroke.
  const bars = useMemo(() => histogram && <Bars histogram={histogram} />, [histogram]);
  // Reserves its space: rows must not jump when the counts arrive.
  if (!histogram || histogram.to <= histogram.from) return <div class="histogram" />;
  const chosen = draft ?? rangeIn(q, histogram);
  const at = (x: number): number => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    const place = Math.min(1, Math.max(0, (x - left) / width));
    return histogram.from + place * (histogram.to - histogram.from);
  };
  const apply = (range: Range | undefined): void => {
    setDraft(undefined);
    list.setFilter(withTimes(q, range));
  };
  const onUp = (event: PointerEvent): void => {
    if (!draft) return;
    const range = { from: Math.min(draft.from, at(event.clientX)), to: Math.max(draft.from, at(event.clientX)) };
    // A click clears.
    apply(range.to - range.from < (histogram.to - histogram.from) / 200 ? undefined : range);
  };
  return (
    <div
      class="histogram"
      role="group"
      aria-label={t('Records over time')}
      ref={box}
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest('[role=slider]')) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDraft({ from: at(event.clientX), to: at(event.clientX) });
      }}
      onPointerMove={(event) => draft && setDraft({ from: draft.from, to: at(event.clientX) })}
      onPointerUp={onUp}
    >
      {bars}
      {chosen && <Brush histogram={histogram} range={chosen} />}
      {(['from', 'to'] as const).map((end) => (
        <Handle key={end} end={end} histogram={histogram} range={chosen} explorer={explorer} apply={apply} />
      ))}
    </div>
  );
}

function Bars({ histogram }: { readonly histogram: Histogram }): JSX.Element {
  const bars = barsOf(histogram.counts, height);
  const count = histogram.counts.length / 8;
  const rect = (x: number, bar: Bar, top: number, name: keyof Bar): JSX.Element | null =>
    bar[name] > 0 ? (
      <rect key={`${x} ${name}`} class={name} x={x} y={top - bar[name]} width={0.85} height={bar[name]} />
    ) : null;
  return (
    <svg viewBox={`0 0 ${count} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((bar, x) => [
        rect(x, bar, height, 'quiet'),
        rect(x, bar, height - bar.quiet, 'warning'),
        rect(x, bar, height - bar.quiet - bar.warning, 'error'),
      ])}
    </svg>
  );
}

function Brush({ histogram, range }: { readonly histogram: Histogram; readonly range: Range }): JSX.Element {
  const left = shareOf(Math.min(range.from, range.to), histogram);
  const right = shareOf(Math.max(range.from, range.to), histogram);
  return <div class="brush" ref={placed(share(left), right - left)} />;
}

function Handle(props: {
  readonly end: 'from' | 'to';
  readonly histogram: Histogram;
  readonly range: Range | undefined;
  readonly explorer: Explorer;
  readonly apply: (range: Range | undefined) => void;
}): JSX.Element {
  const { end, histogram, range, explorer, apply } = props;
  const { t } = explorer.view;
  const whole = range ?? histogram;
  const step = (histogram.to - histogram.from) / (histogram.counts.length / 8);
  const move = (to: number): void => {
    const value = Math.min(histogram.to, Math.max(histogram.from, to));
    apply(
      end === 'from'
        ? { from: Math.min(value, whole.to), to: whole.to }
        : { from: whole.from, to: Math.max(value, whole.from) },
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowRight: () => move(whole[end] + step),
      ArrowUp: () => move(whole[end] + step),
      ArrowLeft: () => move(whole[end] - step),
      ArrowDown: () => move(whole[end] - step),
      PageUp: () => move(whole[end] + 10 * step),
      PageDown: () => move(whole[end] - 10 * step),
      Home: () => move(histogram.from),
      End: () => move(histogram.to),
      Escape: () => apply(undefined),
    };
    const act = moves[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div
      role="slider"
      class="handle"
      tabIndex={0}
      aria-label={end === 'from' ? t('Start of the time range') : t('End of the time range')}
      aria-valuemin={Math.floor(histogram.from)}
      aria-valuemax={Math.ceil(histogram.to)}
      aria-valuenow={Math.round(whole[end])}
      aria-valuetext={clock(whole[end])}
      title={clock(whole[end])}
      ref={styled('left', share(shareOf(whole[end], histogram)))}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerUp={(event) => {
        const { left = 0, width = 1 } = event.currentTarget.parentElement?.getBoundingClientRect() ?? {};
        move(histogram.from + ((event.clientX - left) / width) * (histogram.to - histogram.from));
      }}
    />
  );
}

/** The filter's time range, clipped to the histogram's. */
function rangeIn(q: string, { from, to }: Histogram): Range | undefined {
  const ends = { since: -Infinity, until: Infinity };
  for (const term of parseQuery(q).terms) {
    if ((term.key !== 'since' && term.key !== 'until') || term.negated) continue;
    for (const value of term.values) ends[term.key] = resolveTime(value, term.key, Date.now(), to);
  }
  if (ends.since === -Infinity && ends.until === Infinity) return undefined;
  return { from: Math.max(from, Math.min(ends.since, to)), to: Math.min(to, Math.max(ends.until, from)) };
}

function shareOf(time: number, { from, to }: Histogram): number {
  return Math.min(1, Math.max(0, (time - from) / (to - from)));
}
