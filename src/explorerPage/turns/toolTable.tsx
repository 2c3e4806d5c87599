import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Explorer } from '../explorer';
import { length } from '../text';
import type { ToolColumn } from './toolTimes';
import { sortedBy, toolColumns, toolTimes } from './toolTimes';

/** Number of calls and time per tool. Click a heading to sort. */
export function ToolTable({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, turns } = explorer.view;
  const [column, setColumn] = useState<ToolColumn>('total');
  const [isReversed, reverse] = useState(false);
  const times = sortedBy(toolTimes(turns?.shown ?? [], turns?.now ?? 0), column, isReversed);
  const sort = (name: ToolColumn): void => {
    reverse(name === column && !isReversed);
    setColumn(name);
  };
  const direction = (name: ToolColumn): 'ascending' | 'descending' =>
    (name === 'tool') === isReversed ? 'descending' : 'ascending';
  return (
    <div class="tool-table" tabIndex={0} role="region" aria-label={strings.toolTable}>
      <table>
        <thead>
          <tr>
            {toolColumns.map((name, index) => (
              <th key={name} scope="col" aria-sort={name === column ? direction(name) : undefined}>
                <button type="button" onClick={() => sort(name)}>
                  {strings.toolColumns[index]}
                  {name === column && (direction(name) === 'ascending' ? ' ↑' : ' ↓')}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map(({ tool, calls, errors, total, median, p95 }) => (
            <tr key={tool}>
              <th scope="row">{tool}</th>
              <td>{calls.toLocaleString(strings.locale)}</td>
              <td class={errors > 0 ? 'errors' : ''}>{errors.toLocaleString(strings.locale)}</td>
              <td>{length(total)}</td>
              <td>{length(median)}</td>
              <td>{length(p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
