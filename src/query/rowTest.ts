import type { Keys, Language, QueryOf, RegexTerm, TermOf, TextTerm, ValuesOf } from './language';
import { termGroups } from './queryTest';
import { TextTest } from './textTest';

type RowTest<Row> = (row: Row) => boolean;

/** How the rows of a list are tested for the terms of its language. */
export interface RowTests<K extends Keys, Row> {
  /** Tests the values of one key. */
  valuesTest(term: ValuesOf<K>): RowTest<Row>;
  /** Tests the texts of a row. */
  textsTest(passes: (text: string) => boolean): RowTest<Row>;
  /** All texts that rows have, for regular expressions. */
  texts(): Iterable<string>;
  /** The texts that match an expression. */
  matching(term: RegexTerm, texts: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Compiles a query to a test of single rows. Records are tested by bitmaps instead. */
export async function rowTest<K extends Keys, Row>(
  { terms }: QueryOf<K>,
  { ranges }: Language<K>,
  tests: RowTests<K, Row>,
): Promise<RowTest<Row>> {
  const testOf = async (term: TermOf<K>): Promise<RowTest<Row>> => {
    if (isText(term)) {
      const text = new TextTest(term.text);
      return tests.textsTest((other) => text.isIn(other));
    }
    if (!isRegex(term)) return tests.valuesTest(term);
    const found = await tests.matching(term, [...new Set(tests.texts())]);
    return tests.textsTest((text) => found.has(text));
  };
  const groups = await Promise.all(
    termGroups(terms, ranges).map(async ({ terms: same, negated }): Promise<RowTest<Row>> => {
      const any = await Promise.all(same.map(testOf));
      const [first = () => true] = any;
      if (negated) return (row) => !first(row);
      return any.length === 1 ? first : (row) => any.some((test) => test(row));
    }),
  );
  return (row) => groups.every((test) => test(row));
}

function isText(term: { readonly key: string }): term is TextTerm {
  return term.key === 'text';
}

function isRegex(term: { readonly key: string }): term is RegexTerm {
  return term.key === 'regex';
}
