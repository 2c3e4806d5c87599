import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { TimeAxis, TimeRange } from '../../query/timeAxis';
import type { Explorer } from '../explorer';
import { rangeIn, withTimes } from '../filter/queryText';
import { placed, share, styled } from '../kit/styled';
import { clock } from '../kit/text';
import { breaksImage } from '../kit/timeBreaks';
import type { Bar } from './bars';
import { barsOf } from './bars';
import type { Histogram } from './buckets';
import { bucketAt, bucketCount, bucketText } from './buckets';
import { TimeScale } from './timeScale';

/** Height of the drawing, which is stretched to the width of the page. */
const height = 36;
/** A shorter drag is a click; a fraction of the width. */
const minDrag = 1 / 200;

/** How many records match over time. */
export function HistogramView({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { histogram } = explorer.log;
  // Reserves its space: rows must not jump when the counts arrive.
  if (!histogram || histogram.axis.to <= histogram.axis.from) return <div class="histogram" />;
  return <Chart explorer={explorer} histogram={histogram} />;
}

interface ChartProps {
  readonly explorer: Explorer;
  readonly histogram: Histogram;
}

/** The bars, and a brush that writes `since:` and `until:` into the filter. */
function Chart({ explorer, histogram }: ChartProps): JSX.Element {
  const [pointed, point] = useState<number>();
  const { chosen, apply, ...brush } = useBrush(explorer, histogram, point);
  const { axis } = histogram;
  // Hundreds of elements that seldom change: the page is drawn again at every keystroke.
  const bars = useMemo(() => <Bars histogram={histogram} />, [histogram]);
  return (
    <div
      class="histogram"
      role="group"
      aria-label={explorer.view.t('Records over time')}
      onPointerLeave={() => point(undefined)}
      {...brush}
    >
      <div class="bars-over-time" ref={styled('background-image', breaksImage(axis))}>
        {bars}
        {chosen && <Brush axis={axis} range={chosen} />}
      </div>
      {(['from', 'to'] as const).map((end) => (
        <Handle key={end} {...{ end, histogram, explorer, apply, point }} range={chosen} />
      ))}
      <TimeScale axis={axis} />
      {pointed !== undefined && <Tip explorer={explorer} histogram={histogram} place={pointed} />}
    </div>
  );
}

/** Chooses the range of time that the user drags over; a click goes to the records there. */
function useBrush(explorer: Explorer, histogram: Histogram, point: (place: number) => void) {
  const { axis } = histogram;
  const { list } = explorer.log;
  const { q } = list.state;
  const [draft, setDraft] = useState<TimeRange>();
  const range = rangeIn(q, histogram);
  const placeOf = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const apply = (chosen: TimeRange | undefined): void => {
    setDraft(undefined);
    list.setFilter(withTimes(q, chosen));
  };
  const goTo = (time: number): void => {
    setDraft(undefined);
    const isShown = !range || (time >= range.from && time <= range.to);
    explorer.log.goToTime(time, isShown ? undefined : withTimes(q, undefined));
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest('[role=slider]'))) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const time = axis.timeAt(placeOf(event));
    setDraft({ from: time, to: time });
  };
  const onPointerMove = (event: PointerEvent): void => {
    const place = placeOf(event);
    point(place);
    if (draft) setDraft({ from: draft.from, to: axis.timeAt(place) });
  };
  const onPointerUp = (event: PointerEvent): void => {
    if (!draft) return;
    const [from, to] = [axis.at(draft.from), placeOf(event)];
    if (Math.abs(to - from) < minDrag) goTo(bucketAt(histogram, from).from);
    else apply({ from: axis.timeAt(Math.min(from, to)), to: axis.timeAt(Math.max(from, to)) });
  };
  return { chosen: draft ?? range, apply, onPointerDown, onPointerMove, onPointerUp };
}

function Bars({ histogram }: { readonly histogram: Histogram }): JSX.Element {
  const bars = barsOf(histogram.counts, height);
  const rect = (x: number, bar: Bar, top: number, name: keyof Bar): JSX.Element | null =>
    bar[name] > 0 ? (
      <rect key={`${x} ${name}`} class={name} x={x} y={top - bar[name]} width={0.85} height={bar[name]} />
    ) : null;
  return (
    <svg viewBox={`0 0 ${bars.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((bar, x) => [
        rect(x, bar, height, 'quiet'),
        rect(x, bar, height - bar.quiet, 'warning'),
        rect(x, bar, height - bar.quiet - bar.warning, 'error'),
      ])}
    </svg>
  );
}

function Brush({ axis, range }: { readonly axis: TimeAxis; readonly range: TimeRange }): JSX.Element {
  const left = axis.at(Math.min(range.from, range.to));
  const right = axis.at(Math.max(range.from, range.to));
  return <div class="brush" ref={placed(share(left), right - left)} />;
}

/** The time under the pointer, and how many records of each level are there. */
function Tip(props: ChartProps & { readonly place: number }): JSX.Element {
  const { explorer, histogram, place } = props;
  const [time = '', ...counts] = bucketText(explorer.view, bucketAt(histogram, place));
  return (
    <div class="tip" role="tooltip" ref={styled('--place', share(place))}>
      <div>{time}</div>
      {counts.map((line) => (
        <div key={line} class="detail">
          {line}
        </div>
      ))}
    </div>
  );
}

interface HandleProps extends ChartProps {
  readonly end: 'from' | 'to';
  readonly range: TimeRange | undefined;
  readonly apply: (range: TimeRange | undefined) => void;
  /** Shows what is at a place. */
  readonly point: (place: number | undefined) => void;
}

function Handle(props: HandleProps): JSX.Element {
  const { end, histogram, range, explorer, point } = props;
  const { view } = explorer;
  const { axis } = histogram;
  const whole = range ?? axis;
  const place = axis.at(whole[end]);
  const moveTo = movesOf(props, whole);
  return (
    <div
      role="slider"
      class="handle"
      tabIndex={0}
      aria-label={end === 'from' ? view.t('Start of the time range') : view.t('End of the time range')}
      aria-valuemin={Math.floor(axis.from)}
      aria-valuemax={Math.ceil(axis.to)}
      aria-valuenow={Math.round(whole[end])}
      aria-valuetext={[clock(whole[end]), ...bucketText(view, bucketAt(histogram, place)).slice(1)].join(', ')}
      ref={styled('left', share(place))}
      onKeyDown={(event) => onHandleKey(event, props, place, moveTo)}
      onFocus={() => point(place)}
      onBlur={() => point(undefined)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerUp={(event) => {
        const { left = 0, width = 1 } = event.currentTarget.parentElement?.getBoundingClientRect() ?? {};
        moveTo((event.clientX - left) / width);
      }}
    />
  );
}

/** Moves an end to a place, not beyond the other end. */
function movesOf({ end, histogram, apply, point }: HandleProps, { from, to }: TimeRange) {
  return (place: number): void => {
    const wanted = Math.min(1, Math.max(0, place));
    const value = histogram.axis.timeAt(wanted);
    point(wanted);
    apply(end === 'from' ? { from: Math.min(value, to), to } : { from, to: Math.max(value, from) });
  };
}

function onHandleKey(
  event: KeyboardEvent,
  { end, histogram, range, explorer, apply }: HandleProps,
  place: number,
  moveTo: (place: number) => void,
): void {
  const step = 1 / bucketCount(histogram);
  const moves: Readonly<Record<string, () => void>> = {
    ArrowRight: () => moveTo(place + step),
    ArrowUp: () => moveTo(place + step),
    ArrowLeft: () => moveTo(place - step),
    ArrowDown: () => moveTo(place - step),
    PageUp: () => moveTo(place + 10 * step),
    PageDown: () => moveTo(place - 10 * step),
    Home: () => moveTo(0),
    End: () => moveTo(1),
    Enter: () => explorer.log.goToTime((range ?? histogram.axis)[end]),
    Escape: () => apply(undefined),
  };
  const act = moves[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
