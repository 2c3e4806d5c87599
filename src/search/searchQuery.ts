import type { TermOf } from '../query/language';
import { parse } from '../query/language';
import type { Query } from '../query/query';
import { recordLanguage } from '../query/query';
import type { SessionKey, SessionTest } from '../past/saved/list/sessionFilter';
import { isSessionTerm, sessionLanguage, sessionTest } from '../past/saved/list/sessionFilter';

/** The language of records, and which sessions to search. */
export const searchLanguage = {
  ...recordLanguage,
  keys: { ...sessionLanguage.keys, ...recordLanguage.keys },
  help: { ...sessionLanguage.help, ...recordLanguage.help },
};

type SearchTerm = TermOf<typeof searchLanguage.keys>;

export interface Search extends Pick<SessionTest, 'fits' | 'fitsAgent'> {
  /** What to find in the sessions. */
  readonly records: Query;
  /** The same as text, for the filter of the explorer. */
  readonly recordText: string;
  /** Whether only some sessions are searched. */
  readonly isLimited: boolean;
}

export function parseSearch(text: string): Search {
  const { terms, hints } = parse(text, searchLanguage);
  const ofSessions = terms.filter(isSessionTerm);
  const { fits, fitsAgent } = sessionTest(ofSessions);
  return {
    records: { terms: terms.filter(isRecordTerm), hints },
    recordText: without(text, ofSessions).trim(),
    isLimited: ofSessions.length > 0,
    fits,
    fitsAgent,
  };
}

function isRecordTerm(term: SearchTerm): term is Exclude<SearchTerm, { readonly key: SessionKey }> {
  return !isSessionTerm(term);
}

function without(text: string, terms: readonly Pick<SearchTerm, 'range'>[]): string {
  return terms.reduceRight(
    (rest, { range: { start, end } }) => rest.slice(0, start) + rest.slice(end).trimStart(),
    text,
  );
}

/** How to answer a query: from the text of lines alone, or by reading sessions. */
export interface SearchPlan {
  /** Words that a line must contain, in lower case. */
  readonly words: readonly string[];
  /** Those of them that a message or logger must contain. */
  readonly textWords: readonly string[];
  /** True if the query consists only of words. */
  readonly isTextOnly: boolean;
}

/** What to search files for before reading them. `undefined` if the query is empty. */
export function planOf({ terms }: Query): SearchPlan | undefined {
  if (terms.length === 0) return undefined;
  const required = terms.filter(({ negated }) => !negated);
  const textWords = required.flatMap((term) => (term.key === 'text' ? [term.text.toLowerCase()] : []));
  // Several values are alternatives.
  const rawWords = required.flatMap((term) =>
    term.key === 'raw' && term.values.length === 1 ? term.values.map((value) => value.toLowerCase()) : [],
  );
  const isTextOnly = terms.every(({ key, negated }) => key === 'text' && !negated);
  return { words: [...textWords, ...rawWords], textWords, isTextOnly };
}

/** The forms that the longest word can have in a line of JSON: plain, escaped once, or escaped twice, as in tool input that is JSON itself. */
export function needlesOf(words: readonly string[]): readonly string[] {
  const [longest = ''] = byLength(words);
  if (longest === '') return [];
  const escaped = inJson(longest);
  return [...new Set([longest, escaped, inJson(escaped), asciiOnly(escaped)])];
}

/** Longest first, because it occurs in the fewest lines. */
export function byLength(words: readonly string[]): readonly string[] {
  return [...words].sort((a, b) => b.length - a.length);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Escaped as by Python's `json`. */
function asciiOnly(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
