import type { TermOf } from '../../log/query/language';
import { anyText, parse } from '../../log/query/language';
import type { Query } from '../../log/query/query';
import { recordLanguage } from '../../log/query/query';
import { globTest, termGroups } from '../../log/query/queryTest';
import { TextTest } from '../../log/query/textTest';
import { t } from '../../log/translator';

/** The language of records, and which sessions to search: part of a name or, with `*`, a whole one. */
export const searchLanguage = {
  ...recordLanguage,
  keys: { agent: anyText, folder: anyText, ...recordLanguage.keys },
  help: {
    agent: { about: t('an agent by its name'), example: 'agent:codex' },
    folder: { about: t('a folder by its name'), example: 'folder:bookshop' },
    ...recordLanguage.help,
  },
};

type SearchTerm = TermOf<typeof searchLanguage.keys>;
type SessionTerm = Extract<SearchTerm, { readonly key: 'agent' | 'folder' }>;

/** What a search can ask of a session. */
export interface SessionFacts {
  readonly agent: string;
  /** `undefined` if it's unknown. */
  readonly folder: string | undefined;
}

export interface Search {
  /** What to find in the sessions. */
  readonly records: Query;
  /** The same as text, for the filter of the explorer. */
  readonly recordText: string;
  /** Whether only some sessions are searched. */
  readonly isLimited: boolean;
  fits(session: SessionFacts): boolean;
  /** False only if no folder can make a session of this agent fit. */
  fitsAgent(agent: string): boolean;
}

export function parseSearch(text: string): Search {
  const { terms, hints } = parse(text, searchLanguage);
  const ofSessions = terms.filter(isSessionTerm);
  const groups = termGroups(ofSessions).map(({ terms: same, negated }) => {
    const tests = same.flatMap(({ values }) => values.map(nameTest));
    const key = same[0]?.key ?? 'agent';
    return { key, fits: (name: string) => tests.some((test) => test(name)) !== negated };
  });
  return {
    records: { terms: terms.filter((term) => !isSessionTerm(term)), hints },
    recordText: without(text, ofSessions).trim(),
    isLimited: groups.length > 0,
    fits: (session) => groups.every(({ key, fits }) => fits(session[key] ?? '')),
    fitsAgent: (agent) => groups.every(({ key, fits }) => key !== 'agent' || fits(agent)),
  };
}

function isSessionTerm(term: SearchTerm): term is SessionTerm {
  return term.key === 'agent' || term.key === 'folder';
}

function nameTest(value: string): (name: string) => boolean {
  if (value.includes('*')) return globTest(value);
  const part = new TextTest(value);
  return (name) => part.isIn(name);
}

function without(text: string, terms: readonly SessionTerm[]): string {
  return terms.reduceRight(
    (rest, { range: { start, end } }) => rest.slice(0, start) + rest.slice(end).trimStart(),
    text,
  );
}

/** How to answer a query: from the text of lines alone, or by reading sessions. */
export interface SearchPlan {
  /** Words that a line must contain, in lower case. */
  readonly words: readonly string[];
  /** True if the query consists only of words. */
  readonly isTextOnly: boolean;
}

/** What to search files for before reading them. `undefined` if the query is empty. */
export function planOf({ terms }: Query): SearchPlan | undefined {
  if (terms.length === 0) return undefined;
  const words = terms.flatMap((term) => {
    if (term.negated) return [];
    if (term.key === 'text') return [term.text.toLowerCase()];
    // Several values are alternatives.
    return term.key === 'raw' && term.values.length === 1 ? term.values.map((value) => value.toLowerCase()) : [];
  });
  const isTextOnly = terms.every(({ key, negated }) => key === 'text' && !negated);
  return { words, isTextOnly };
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
