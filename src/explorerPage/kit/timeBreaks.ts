import type { TimeAxis } from '../../query/timeAxis';
import { share } from './styled';

/** The breaks of a time axis, as a CSS background. */
export function breaksImage(axis: TimeAxis): string {
  const stops = axis.breaks.flatMap(({ from, to }) => {
    const [start, end] = [share(axis.at(from)), share(axis.at(to))];
    return [`transparent ${start}`, `var(--break) ${start} ${end}`, `transparent ${end}`];
  });
  return stops.length === 0 ? 'none' : `linear-gradient(90deg, ${stops.join(', ')})`;
}
