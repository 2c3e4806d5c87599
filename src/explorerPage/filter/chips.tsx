import type { JSX } from 'preact';
import type { Explorer } from '../explorer';
import { levelLetters } from '../text';
import { askedLevels, toggleLevel } from './queryText';

/** A button for each level, with its count; pressed if the filter asks for the level. */
export function Chips({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, levelCounts, q } = explorer.view;
  const asked = askedLevels(q);
  return (
    <div class="chips" role="group" aria-label={strings.levelChips}>
      {strings.levels.map((name, rank) => {
        const count = levelCounts[rank] ?? 0;
        const text = count.toLocaleString(strings.locale);
        return (
          <button
            type="button"
            key={name}
            class={`chip level-${rank}${count === 0 ? ' none' : ''}`}
            aria-pressed={asked.has(rank)}
            title={`${name}: ${text}`}
            onClick={() => explorer.setFilter(toggleLevel(q, rank))}
          >
            <span class="letter" aria-hidden="true">
              {levelLetters[rank]}
            </span>
            <span class="name">{name} </span>
            {count > 0 && <span class="number">{compact(count, strings.locale)}</span>}
          </button>
        );
      })}
    </div>
  );
}

function compact(count: number, locale: string): string {
  return count < 10_000
    ? count.toLocaleString(locale)
    : new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}
