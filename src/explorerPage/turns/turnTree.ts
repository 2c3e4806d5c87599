import type { SpanRow } from '../../ui/explorer/turns/turnMessages';

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

/** The visible rows of the tree, top to bottom. */
export function turnLines(rows: readonly SpanRow[], closed: ReadonlySet<string>): readonly TurnLine[] {
  const ids = new Set(rows.map(({ id }) => id));
  const children = new Map<string, SpanRow[]>();
  const sessions = new Map<string, string>();
  for (const row of rows) {
    const session = sessionKeyOf(row);
    // The oldest spans of a long run are evicted.
    const above = ids.has(row.parent) ? row.parent : session;
    if (above === session) sessions.set(session, row.session);
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
  for (const [key, title] of sessions) add(key, title, undefined, 1, -1);
  return lines;
}
