import { parse } from './language';
import type { Query } from './query';
import { recordLanguage } from './query';

/** Parses a query of records. See `parse`. */
export function parseQuery(text: string): Query {
  return parse(text, recordLanguage);
}
