import type { JsonObject } from '../../log/json';
import { objectOf, textOf } from '../../log/json';
import { parsedJson } from '../../log/jsonText';

/** Maximum length of a row's JSON, in bytes. */
export const maxData = 16 * 1024 * 1024;
/** A row's JSON unless it is too long, and its length in bytes. */
export const dataColumns = `case when octet_length(data) <= ${maxData} then data end as data, octet_length(data) as bytes`;

/** The JSON in a column. */
export function jsonIn(row: JsonObject | undefined, column: string): JsonObject {
  return objectOf(parsedJson(textOf(row?.[column]) ?? ''));
}
