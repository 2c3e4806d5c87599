import type { JSX } from 'preact';
import { levels } from '../../text/level';
import type { Explorer } from '../explorer';
import { levelLetters } from '../kit/text';
import { askedLevels, toggleLevel } from '../filter/queryText';

const short: Intl.NumberFormatOptions = { notation: 'compact', maximumFractionDigits: 1 };

/** A button for each level, with its count; pressed if the filter asks for the level. */
export function Chips({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, number } = explorer.view;
  const { levelCounts, list } = explorer.log;
  const { q } = list.state;
  const asked = askedLevels(q);
  return (
    <div class="chips" role="group" aria-label={t('Levels')}>
      {levels.map((name, rank) => {
        const count = levelCounts[rank] ?? 0;
        const text = number(count);
        return (
          <button
            type="button"
            key={name}
            class={`chip level-${rank}${count === 0 ? ' none' : ''}`}
            aria-pressed={asked.has(rank)}
            title={`${name}: ${text}`}
            onClick={() => list.setFilter(toggleLevel(q, rank))}
          >
            <span class="letter" aria-hidden="true">
              {levelLetters[rank]}
            </span>
            <span class="name">{name} </span>
            {count > 0 && <span class="number">{count < 10_000 ? text : number(count, short)}</span>}
          </button>
        );
      })}
    </div>
  );
}
