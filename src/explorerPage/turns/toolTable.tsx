import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Explorer } from '../explorer';
import { hasValue } from '../filter/queryText';
import { filterValue } from '../list/rows';
import type { Translate } from '../texts';
import type { ToolColumn } from './toolColumns';
import { sortedBy, timesOf, toolColumns } from './toolColumns';

const columnNames: Readonly<Record<ToolColumn, (t: Translate) => string>> = {
  tool: (t) => t('Tool'),
  calls: (t) => t('Calls'),
  errors: (t) => t('Errors'),
  total: (t) => t('Total'),
  median: (t) => t('Median'),
  p95: (t) => t('p95'),
};

/** Number of calls and time per tool. Click a heading to sort. */
export function ToolTable({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { turns, view } = explorer;
  const { t, number } = view;
  const { q } = turns.list.state;
  const [column, setColumn] = useState<ToolColumn>('total');
  const [isReversed, reverse] = useState(false);
  const times = sortedBy(timesOf(turns.shown, turns.now), column, isReversed);
  const sort = (name: ToolColumn): void => {
    reverse(name === column && !isReversed);
    setColumn(name);
  };
  const direction = (name: ToolColumn): 'ascending' | 'descending' =>
    (name === 'tool') === isReversed ? 'descending' : 'ascending';
  return (
    <div class="tool-table" tabIndex={0} role="region" aria-label={t('Tools')}>
      <table>
        <thead>
          <tr>
            {toolColumns.map((name) => (
              <th key={name} scope="col" aria-sort={name === column ? direction(name) : undefined}>
                <button type="button" onClick={() => sort(name)}>
                  {columnNames[name](t)}
                  {name === column && (direction(name) === 'ascending' ? ' ↑' : ' ↓')}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map(({ tool, calls, errors, total, median, p95 }) => (
            <tr key={tool}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  title={t('Only This Tool')}
                  aria-pressed={hasValue(q, 'tool', filterValue(tool))}
                  onClick={() => turns.toggleTool(tool)}
                >
                  {tool}
                </button>
              </th>
              <td>{number(calls)}</td>
              <td class={errors > 0 ? 'errors' : ''}>{number(errors)}</td>
              <td>{t('{0}', { ms: total })}</td>
              <td>{t('{0}', { ms: median })}</td>
              <td>{t('{0}', { ms: p95 })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
