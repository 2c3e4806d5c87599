import type { Database } from './database';

/** A database of an agent or editor that isn't read. */
interface OtherDatabase {
  /** Whose it is. */
  readonly label: string;
  /** In lowercase. */
  readonly table: string;
  /** Columns that the table has only there. */
  readonly columns: readonly string[];
}

const others: readonly OtherDatabase[] = [
  { label: 'Crush', table: 'messages', columns: ['session_id', 'role', 'parts'] },
  { label: 'Codex', table: 'threads', columns: ['id', 'rollout_path'] },
  { label: 'Zed', table: 'threads', columns: ['id', 'summary', 'data_type', 'data'] },
  { label: 'VS Code', table: 'itemtable', columns: ['key', 'value'] },
];

/** The tables that tell whose a database is. */
export const otherTables: readonly string[] = [...new Set(others.map(({ table }) => table))];

/** Whose database it is, if that is known although it isn't read. */
export function otherOwner({ columns }: Database): string | undefined {
  return others.find((one) => one.columns.every((name) => columns.get(one.table)?.has(name)))?.label;
}
