import type { TurnSort } from '../../explorer/page/pageState';
import { endOf } from './timeAxis';
import type { SpanRow } from '../../explorer/turns/turnMessages';

/** A row of the tree: a session, or one of its spans. */
export interface TurnLine {
  /** Unique; for sessions, `session ` and the ID. */
  readonly key: string;
  /** 1 for sessions. */
  readonly level: number;
  readonly title: string;
  readonly row: SpanRow | undefined;
  /** `undefined` if it has no children. */
  readonly isOpen: boolean | undefined;
  /** Index of the parent's row; -1 for sessions. */
  readonly parent: number;
}

/** The key of the line of a span's session. */
export function sessionKeyOf({ sessionKey }: Pick<SpanRow, 'sessionKey'>): string {
  return `session ${sessionKey}`;
}

/** @param now the end of spans that are still open */
export function turnOrder({ by, direction }: TurnSort, now: number): TurnOrder {
  const sign = direction === 'ascending' ? 1 : -1;
  switch (by) {
    case 'name':
      return (a, b) => sign * a.title.localeCompare(b.title);
    case 'bars':
      return (a, b) => sign * (a.start - b.start);
    case 'took':
      return (a, b) => sign * (endOf(a, now) - a.start - (endOf(b, now) - b.start));
    case 'tokens':
      // Spans without tokens come last in both directions.
      return (a, b) => (a.used < 0 || b.used < 0 ? b.used - a.used : sign * (a.used - b.used));
  }
}

type TurnOrder = (a: SpanRow, b: SpanRow) => number;

/**
 * The visible rows of the tree, top to bottom.
 * @param order of the spans in one, and of sessions by the first of theirs
 */
export function turnLines(
  rows: readonly SpanRow[],
  closed: ReadonlySet<string>,
  order?: TurnOrder,
): readonly TurnLine[] {
  const ids = new Set(rows.map(({ id }) => id));
  const children = new Map<string, SpanRow[]>();
  const sessions = new Map<string, SpanRow>();
  for (const row of order ? [...rows].sort(order) : rows) {
    const session = sessionKeyOf(row);
    // The oldest spans of a long run are evicted.
    const above = ids.has(row.parent) ? row.parent : session;
    if (above === session && !sessions.has(session)) sessions.set(session, row);
    const siblings = children.get(above);
    if (siblings) siblings.push(row);
    else children.set(above, [row]);
  }
  const lines: TurnLine[] = [];
  const add = (key: string, title: string, row: SpanRow | undefined, level: number, parent: number): void => {
    const below = children.get(key);
    const index = lines.length;
    lines.push({ key, level, title, row, isOpen: below ? !closed.has(key) : undefined, parent });
    if (below && !closed.has(key)) for (const one of below) add(one.id, one.title, one, level + 1, index);
  };
  for (const [key, { session }] of sessions) add(key, session, undefined, 1, -1);
  return lines;
}
