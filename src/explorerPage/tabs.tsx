import type { JSX } from 'preact';
import { tabs } from '../ui/explorer/messages';
import type { Explorer } from './explorer';

/** The views of the run. Arrow keys move between them, as in every tab list. */
export function Tabs({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, tab: current } = explorer.view;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    explorer.setTab(next);
    document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={strings.tabs} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === current}
          aria-controls={`panel-${tab}`}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => explorer.setTab(tab)}
        >
          {strings[tab]}
        </button>
      ))}
    </div>
  );
}
