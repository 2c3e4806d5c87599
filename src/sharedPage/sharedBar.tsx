import colorMode from '@vscode/codicons/src/icons/color-mode.svg';
import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { IconButton } from '../explorerPage/kit/icons';
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
      <IconButton
        icon={colorMode}
        label={t('Dark theme')}
        isPressed={theme === 'dark'}
        onPress={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
      />
    </header>
  );
}
