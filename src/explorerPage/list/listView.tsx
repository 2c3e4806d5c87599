import type { ComponentChildren, HTMLAttributes, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Explorer } from '../explorer';
import { IconButton } from '../kit/icons';
import { onEscape, onListKey } from '../kit/keys';
import { RowMenu } from '../menu/rowMenu';
import { Splitter } from '../kit/splitter';
import { styled } from '../kit/styled';
import type { Heading, SortedTab } from './columns';
import { Grid } from './grid';
import type { List } from './list';
import { ListHeader } from './listHeader';
import type { RowLook } from './rowView';

interface ListViewProps<Row, Cell extends string> {
  readonly explorer: Explorer;
  readonly tab: SortedTab & { readonly list: List<Row> };
  /** Made once. */
  readonly look: RowLook<Row, Cell>;
  readonly label: string;
  readonly headings: readonly Heading<Cell>[];
  /** Why there are no rows, if there are none. */
  readonly empty: string;
  readonly role?: 'treegrid';
  readonly gridProps?: HTMLAttributes<HTMLDivElement>;
  /** Above the rows. */
  readonly children?: ComponentChildren;
  /** Buttons of the details. */
  readonly actions?: ComponentChildren;
  /** The details of the selected row. */
  readonly details: ComponentChildren;
}

/** A tab: its rows, and the details of the selected one beside them. */
export function ListView<Row, Cell extends string>(props: ListViewProps<Row, Cell>): JSX.Element {
  const { explorer, tab, look, label, headings, empty, role = 'grid', gridProps, children } = props;
  const { list, name } = tab;
  const { matches } = list.state;
  const grid = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (grid.current) list.attach(new Grid(grid.current, list, look, new RowMenu(explorer, list), name));
  }, [list]);
  const { hasDetails } = list;
  return (
    <div
      id={`panel-${name}`}
      role="tabpanel"
      aria-labelledby={`tab-${name}`}
      hidden={explorer.view.tab !== name}
      class={hasDetails ? 'panel split' : 'panel'}
      ref={styled('--split', String(explorer.view.split))}
    >
      <div class="grid-host">
        {children}
        <div
          class="grid"
          id={`${look.prefix}-grid`}
          role={role}
          tabIndex={0}
          aria-label={label}
          aria-colcount={headings.length}
          aria-rowcount={0}
          data-vscode-context='{"preventDefaultContextMenuItems":true}'
          ref={grid}
          onKeyDown={(event) => onListKey(event, explorer)}
          onCopy={(event) => {
            // Text that was selected with the mouse is copied as usual.
            if (document.getSelection()?.isCollapsed === false) return;
            event.preventDefault();
            list.copy();
          }}
          {...gridProps}
        >
          <ListHeader explorer={explorer} tab={tab} headings={headings} />
        </div>
        {matches?.done === true && matches.total === 0 && matches.error === '' && <p class="empty">{empty}</p>}
      </div>
      {hasDetails && <Splitter explorer={explorer} />}
      {hasDetails && <Details {...props} />}
    </div>
  );
}

/** The selected row, with what can be done with it. */
function Details<Row, Cell extends string>({
  explorer,
  tab: { list },
  actions,
  details,
}: ListViewProps<Row, Cell>): JSX.Element {
  const { t } = explorer.view;
  const { q, marks, selection, contextOf } = list.state;
  const close = (): void => {
    list.close();
    explorer.focusList();
  };
  return (
    <section class="details" role="region" aria-label={t('Details')} tabIndex={0} onKeyDown={onEscape(close)}>
      <div class="details-bar">
        <div class="actions" role="group" aria-label={t('Actions')}>
          {actions}
          {(q !== '' || contextOf) && (
            <IconButton
              icon="unfold"
              label={t('Show the records around this one')}
              onPress={() => list.toggleContext()}
            />
          )}
          <IconButton
            icon="bookmark"
            label={t('Bookmark')}
            isPressed={selection?.id !== undefined && marks.has(selection.id)}
            onPress={() => list.toggleMark()}
          />
        </div>
        <span class="space" />
        <IconButton icon="close" label={t('Close')} onPress={close} />
      </div>
      {details}
    </section>
  );
}
