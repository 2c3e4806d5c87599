import type { TimeAxis } from '../../query/timeAxis';
import { clock } from '../kit/text';

/** Where the scale has times; narrow pages show every other one. */
export const scalePlaces = [0, 0.25, 0.5, 0.75, 1] as const;
const minute = 60_000;

/** As exact as the range is short, with the day where it changes. */
export function scaleLabels(axis: TimeAxis, locale: string): readonly string[] {
  const idle = axis.breaks.reduce((sum, { from, to }) => sum + to - from, 0);
  const shown = axis.to - axis.from - idle;
  const digits = shown < 10_000 ? 12 : shown < 30 * minute ? 8 : 5;
  const times = scalePlaces.map((place) => axis.timeAt(place));
  const days = times.map((time) => new Date(time).toLocaleDateString(locale, { day: 'numeric', month: 'short' }));
  return times.map((time, index) => {
    const text = clock(time).slice(0, digits);
    const isNewDay = index > 0 ? days[index] !== days[index - 1] : days[0] !== days.at(-1);
    return isNewDay ? `${days[index]} ${text}` : text;
  });
}
