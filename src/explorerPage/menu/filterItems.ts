import type { RowValue, ValueKey } from '../list/rows';
import type { Translate } from '../texts';
import type { MenuItem } from './menuItem';

type Text = (t: Translate) => string;

const texts: Readonly<Record<ValueKey, readonly [only: Text, except: Text]>> = {
  session: [(t) => t('Only This Session'), (t) => t('Exclude This Session')],
  logger: [(t) => t('Only This Logger'), (t) => t('Exclude This Logger')],
  level: [(t) => t('Only This Level'), (t) => t('Exclude This Level')],
  kind: [(t) => t('Only This Kind'), (t) => t('Exclude This Kind')],
  method: [(t) => t('Only This Method'), (t) => t('Exclude This Method')],
  status: [(t) => t('Only This Status'), (t) => t('Exclude This Status')],
  tool: [(t) => t('Only This Tool'), (t) => t('Exclude This Tool')],
};

/** Entries that filter by a value of a row. */
export function filterItems(
  t: Translate,
  { key, value }: RowValue,
  use: (how: 'only' | 'except') => void,
): readonly [MenuItem, MenuItem] {
  const [only, except] = texts[key];
  const detail = key === 'level' ? value.slice(1) : value;
  return [
    { label: only(t), detail, run: () => use('only') },
    { label: except(t), detail, run: () => use('except') },
  ];
}
