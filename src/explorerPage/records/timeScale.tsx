import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TimeAxis } from '../../query/timeAxis';
import { share, styled } from '../kit/styled';
import { scaleLabels, scalePlaces } from './scaleLabels';

/** Times below the histogram. */
export function TimeScale({ axis }: { readonly axis: TimeAxis }): JSX.Element {
  const labels = useMemo(() => scaleLabels(axis, document.documentElement.lang), [axis]);
  return (
    <div class="time-scale" aria-hidden="true">
      {labels.map((label, index) => (
        <span key={index} ref={styled('left', share(scalePlaces[index] ?? 0))}>
          {label}
        </span>
      ))}
    </div>
  );
}
