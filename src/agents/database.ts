import type { JsonObject } from '../text/json';

/** Rows of a table. */
export interface Page {
  readonly rows: readonly JsonObject[];
  /** True if there are more, which would make the answer too large. */
  readonly isCut: boolean;
}

/** A read-only database. */
export interface Database {
  /** The columns of the tables that it has, by name, of those that may be read. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** @throws if the query fails, such as for a missing table, or takes too long */
  page(sql: string, ...values: readonly (string | number)[]): Promise<Page>;
}

/** All rows of a query that has only a few. @throws if they are too large, or the query fails */
export async function allRows(
  database: Database,
  sql: string,
  ...values: readonly (string | number)[]
): Promise<readonly JsonObject[]> {
  const { rows, isCut } = await database.page(sql, ...values);
  if (isCut) throw new Error('too large');
  return rows;
}
