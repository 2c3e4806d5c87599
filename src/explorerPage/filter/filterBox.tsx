import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Completion } from '../../query/completion';
import { translated } from '../../text/translator';
import type { Tab } from '../../explorer/page/messages';
import { maxFilter } from '../../explorer/page/messages';
import type { Explorer } from '../explorer';
import { Icon, IconButton } from '../kit/icons';
import { typedPart, withTyped } from './queryText';
import type { Translate } from '../texts';

const placeholders: Readonly<Record<Tab, (t: Translate) => string>> = {
  log: (t) => t('Filter, for example: level:warning -"cache miss" since:10m'),
  wire: (t) => t('Filter, for example: method:session/* status:error took:>1s'),
  turns: (t) => t('Filter, for example: tool:bash status:error took:>10s'),
};

interface FilterBoxProps {
  readonly explorer: Explorer;
}

/** The filter, with suggestions under it. */
export function FilterBox({ explorer }: FilterBoxProps): JSX.Element {
  const { t } = explorer.view;
  const { q, change } = typedFilter(explorer);
  const input = useRef<HTMLInputElement>(null);
  const suggestions = useSuggestions(explorer, input);
  const typed = (event: { readonly currentTarget: HTMLInputElement }): void => {
    const { value } = event.currentTarget;
    change(value, true);
    // The list would cover the buttons below an empty box.
    if (value === '') suggestions.close();
    else suggestions.ask();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (suggestions.onKey(event)) return;
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      explorer.focusList();
    } else if (event.key === 'Escape' && q !== '') {
      event.stopPropagation();
      change('');
    }
  };
  return (
    <div class="filter-box">
      <Icon name="filter" />
      <input
        id="filter"
        ref={input}
        type="text"
        role="combobox"
        value={q}
        maxLength={maxFilter}
        spellcheck={false}
        autocomplete="off"
        aria-label={t('Filter')}
        placeholder={placeholders[explorer.view.tab](t)}
        aria-autocomplete="list"
        aria-expanded={suggestions.isOpen}
        aria-controls="suggestions"
        aria-activedescendant={
          suggestions.isOpen && suggestions.active >= 0 ? `suggestion-${suggestions.active}` : undefined
        }
        onInput={typed}
        onBlur={() => suggestions.close()}
        onKeyDown={onKeyDown}
      />
      {q !== '' && <IconButton icon="close" label={t('Clear filter')} onPress={() => change('')} />}
      <SuggestionList explorer={explorer} list={suggestions} />
    </div>
  );
}

/** What the box shows of the filter: in Wire, the chips have a part of it. */
function typedFilter({ tab }: Explorer): {
  readonly q: string;
  readonly change: (typed: string, isTyped?: boolean) => void;
} {
  const { list } = tab;
  const { q } = list.state;
  if (tab.name !== 'wire') return { q, change: (typed, isTyped) => list.setFilter(typed, isTyped) };
  return { q: typedPart(q), change: (typed, isTyped) => list.setFilter(withTyped(q, typed), isTyped) };
}

function SuggestionList({ explorer, list }: { readonly explorer: Explorer; readonly list: Suggestions }): JSX.Element {
  const { view } = explorer;
  const { t, number } = view;
  return (
    <ul id="suggestions" role="listbox" aria-label={t('Suggestions')} hidden={!list.isOpen}>
      {list.items.map((item, index) => (
        <li
          key={`${item.text} ${index}`}
          id={`suggestion-${index}`}
          role="option"
          aria-selected={index === list.active}
          onPointerDown={(event) => {
            event.preventDefault(); // The focus stays in the box.
            list.take(item);
          }}
        >
          <span>{item.text}</span>
          {item.help && <span class="about">{translated(item.help.about, view)}</span>}
          <span class="detail">{item.help ? item.help.example : item.count !== undefined && number(item.count)}</span>
        </li>
      ))}
    </ul>
  );
}

interface Suggestions {
  readonly isOpen: boolean;
  readonly items: readonly Completion[];
  readonly active: number;
  ask(): void;
  close(): void;
  take(item: Completion): void;
  /** Whether the key was for the list. */
  onKey(event: KeyboardEvent): boolean;
}

function useSuggestions(explorer: Explorer, input: { readonly current: HTMLInputElement | null }): Suggestions {
  const { q, change } = typedFilter(explorer);
  const [isWanted, want] = useState(false);
  const [active, setActive] = useState(-1);
  const { completions } = explorer.view;
  // What is there already is no suggestion: Tab would do nothing.
  const items =
    completions?.text === q
      ? completions.items.filter(({ text, range }) => q.slice(range.start, range.end) !== text)
      : [];
  const isOpen = isWanted && items.length > 0;
  const ask = (): void => {
    const box = input.current;
    if (!box) return;
    want(true);
    setActive(-1);
    explorer.complete(box.value, box.selectionStart ?? box.value.length);
  };
  const close = (): void => want(false);
  useLayoutEffect(() => {
    const onPress = ({ target: pressed }: Event): void => {
      if (!(pressed instanceof Element) || !pressed.closest('.filter-box')) close();
    };
    // Before the press takes effect: the list covers what is below the box.
    document.addEventListener('pointerdown', onPress, true);
    return () => document.removeEventListener('pointerdown', onPress, true);
  }, []);
  useLayoutEffect(close, [explorer.view.tab]);
  const take = ({ text: insert, range }: Completion): void => {
    const box = input.current;
    if (!box) return;
    const text = box.value.slice(0, range.start) + insert + box.value.slice(range.end);
    box.value = text;
    box.setSelectionRange(range.start + insert.length, range.start + insert.length);
    change(text, true);
    close();
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === ' ' && event.ctrlKey) ask();
    else if (!isOpen) return false;
    else if (event.key === 'ArrowDown') setActive((active + 1) % items.length);
    else if (event.key === 'ArrowUp') setActive(active <= 0 ? items.length - 1 : active - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) {
      // Enter searches, unless one was chosen.
      const item = items[event.key === 'Tab' ? Math.max(0, active) : active];
      if (!item) {
        close();
        return false;
      }
      take(item);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { isOpen, items, active, ask, close, take, onKey };
}
