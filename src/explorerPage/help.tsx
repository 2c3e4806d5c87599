import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Explorer } from './explorer';
import { IconButton } from './icons';
import { onEscape } from './keys';

/** The keys of the grid. */
export function Help({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings } = explorer.view;
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => dialog.current?.focus(), []);
  const close = (): void => {
    explorer.update({ isHelpOpen: false });
    explorer.focusList();
  };
  return (
    <div
      class="help"
      role="dialog"
      aria-label={strings.keyboardHelp}
      tabIndex={-1}
      ref={dialog}
      onKeyDown={onEscape(close)}
    >
      <IconButton icon="close" label={strings.closeDetails} onPress={close} />
      <dl>
        {strings.help.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
