import * as vscode from 'vscode';
import { hintWords } from '../../../query/hintWords';
import type { SessionFacts } from '../../../past/saved/list/sessionFilter';
import { parseSessionFilter, sessionLanguage } from '../../../past/saved/list/sessionFilter';
import { labelText } from '../../kit/notify';
import { translate } from '../../kit/translate';
import { completeSessionFilter } from '../../../search/searchCompletion';

type Item = vscode.QuickPickItem &
  (
    | { readonly type: 'filter'; readonly text: string }
    /** Picking it only changes the text. */
    | { readonly type: 'completion'; readonly text: string }
  );

/**
 * Asks for a filter of saved sessions. Returns its text, empty to show all, or `undefined` if the user dismisses the picker.
 * @param current the filter that applies
 * @param sessions whose names are suggested
 */
export async function pickSessionFilter(
  current: string | undefined,
  sessions: Promise<readonly SessionFacts[]>,
): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  const title = vscode.l10n.t('Filter Saved Sessions');
  picker.title = current === undefined ? title : `${title} · ${labelText(current)}`;
  picker.placeholder = vscode.l10n.t('Words of the title, or such as outcome:failed folder:shop');
  picker.value = current === undefined ? '' : `${current} `;
  picker.ignoreFocusOut = true;
  let known: readonly SessionFacts[] = [];
  const draw = (): void => {
    picker.items = itemsFor(picker.value, current, known);
  };
  try {
    return await new Promise<string | undefined>((resolve) => {
      picker.onDidChangeValue(draw);
      picker.onDidAccept(() => {
        const [picked] = picker.selectedItems;
        if (picked?.type === 'filter') resolve(picked.text);
        if (picked?.type !== 'completion') return;
        picker.value = picked.text;
        draw();
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      draw();
      picker.busy = true;
      void sessions
        .then((facts) => {
          known = facts;
          draw();
        })
        .catch(() => undefined) // Only the suggestions are missing.
        .finally(() => (picker.busy = false));
    });
  } finally {
    picker.dispose();
  }
}

/** VS Code sorts items whose labels match; so the labels are icons. */
function itemsFor(value: string, current: string | undefined, known: readonly SessionFacts[]): readonly Item[] {
  const filter = parseSessionFilter(value);
  const completions = (value.trim() === '' ? everyKey() : completeSessionFilter(value, known)).map(
    ({ term, text, about }): Item => {
      const detail = about === undefined ? '' : ` – ${translate(about)}`;
      return item('filter', `${labelText(term)}${detail}`, 'completion', text);
    },
  );
  const clear = item('clear-all', vscode.l10n.t('Show all sessions'), 'filter', '');
  if (!filter) return current === undefined ? completions : [clear, ...completions];
  const [hint] = filter.hints;
  const only = vscode.l10n.t('Show only {0}', labelText(filter.text));
  const apply = item('check', hint ? `${only} (${translate(hintWords(hint))})` : only, 'filter', filter.text);
  const isApplied = filter.text === current;
  // Enter completes a key that has no value yet.
  return [
    ...(isApplied ? [] : hint ? [...completions, apply] : [apply, ...completions]),
    ...(current === undefined ? [] : [clear]),
    ...(isApplied ? everyKey().map(({ term, text }) => item('add', term, 'completion', `${value}${text}`)) : []),
  ];
}

function everyKey(): ReturnType<typeof completeSessionFilter> {
  return Object.entries(sessionLanguage.help).map(([key, { about }]) => {
    return { type: 'key', term: `${key}:`, text: `${key}:`, about };
  });
}

function item(icon: string, description: string, type: Item['type'], text: string): Item {
  return { label: `$(${icon})`, description, alwaysShow: true, type, text };
}
