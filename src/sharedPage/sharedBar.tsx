import colorMode from '@vscode/codicons/src/icons/color-mode.svg';
import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Texts } from '../explorerPage/texts';
import type { SharedHead } from '../share/sharedFile';
import { missingTexts } from '../share/missingTexts';

type Theme = 'light' | 'dark';

/** What the file is, what isn't in it, and a switch between light and dark. */
export function SharedBar({ head, texts }: { readonly head: SharedHead; readonly texts: Texts }): JSX.Element {
  const { t } = texts;
  const missing = missingTexts(head.cut, t);
  const [theme, setTheme] = useState<Theme>(
    window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  );
  useLayoutEffect(() => void (document.documentElement.className = theme), [theme]);
  const label = t('Dark theme');
  const shared = new Date(head.sharedAt).toLocaleString(head.locale);
  return (
    <header class="shared-bar">
      <strong>{head.name}</strong>
      {missing.length === 0 ? (
        <span class="detail">{t('Shared with Agent Logs: {0}', shared)}</span>
      ) : (
        <details>
          <summary>{t('Shared with Agent Logs: {0} · what is missing or replaced', shared)}</summary>
          <ul>
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
      <button
        type="button"
        class="icon-button"
        title={label}
        aria-label={label}
        aria-pressed={theme === 'dark'}
        onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
      >
        <svg class="icon" width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
          {colorMode.map((d) => (
            <path key={d} d={d} />
          ))}
        </svg>
      </button>
    </header>
  );
}
