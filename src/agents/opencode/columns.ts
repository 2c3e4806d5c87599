import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { Database } from '../database';

/** Maximum length of a row's JSON, in bytes. */
export const maxData = 16 * 1024 * 1024;
/** A row's JSON unless it is too long, and its length in bytes. */
export const dataColumns = `case when octet_length(data) <= ${maxData} then data end as data, octet_length(data) as bytes`;

/** The JSON in a column. */
export function jsonIn(row: JsonObject | undefined, column: string): JsonObject {
  return objectOf(parsedJson(textOf(row?.[column]) ?? ''));
}

/** The beginnings of texts. Versions differ in their columns: those that a table lacks are `null`. */
export function textColumns(of: Database, table: string, names: readonly string[]): string {
  return columnsOr(of, table, names, (name) => `substr(${name}, 1, 1000)`);
}

export function numberColumns(of: Database, table: string, names: readonly string[]): string {
  return columnsOr(of, table, names, (name) => name);
}

function columnsOr(of: Database, table: string, names: readonly string[], read: (name: string) => string): string {
  const known = of.columns.get(table);
  return names.map((name) => `${!known || known.has(name) ? read(name) : 'null'} as ${name}`).join(', ');
}
