import { parse } from './language';
import type { Query } from './query';
import { recordLanguage } from './query';

/** Parses a query of records. */
export function parseQuery(text: string): Query {
  return parse(text, recordLanguage);
}
