import type { Completion, Suggested } from '../query/completion';
import { completeIn, valuesFrom, valuesOf } from '../query/completion';
import type { KeyOf, Keys, Language } from '../query/language';
import { queryTokens } from '../query/queryTokens';
import type { Words } from '../text/translator';
import type { SessionFacts, SessionKey } from '../past/saved/list/sessionFilter';
import { sessionLanguage, sessionOutcomes } from '../past/saved/list/sessionFilter';
import { searchLanguage } from './searchQuery';

/** Fewer letters begin too many keys. */
const minKey = 2;
const maxShown = 6;

/** What the last term of a search may become. */
export interface SearchCompletion {
  readonly type: Completion['type'];
  /** The whole term, such as `agent:Codex`. */
  readonly term: string;
  /** The whole search with it. */
  readonly text: string;
  /** What a key asks for. */
  readonly about?: Words;
}

/** Completes the last term of a search: keys, and the agents, folders and models of the sessions. */
export function completeSearch(text: string, sessions: readonly SessionFacts[]): readonly SearchCompletion[] {
  return completeLast(searchLanguage, text, (key) =>
    isSessionKey(key) ? sessionValues(key, sessions) : valuesOf(key, {}),
  );
}

/** The same for the filter of a list of sessions. */
export function completeSessionFilter(text: string, sessions: readonly SessionFacts[]): readonly SearchCompletion[] {
  return completeLast(sessionLanguage, text, (key) => sessionValues(key, sessions));
}

function completeLast<K extends Keys>(
  language: Language<K>,
  text: string,
  suggested: (key: KeyOf<K>) => readonly Suggested[],
): readonly SearchCompletion[] {
  const last = queryTokens(text).at(-1);
  if (!last || last.range.end < text.length) return [];
  const { start } = last.range;
  const typed = text.slice(start).replace(/^-/, '');
  return completeIn(language, suggested, text, text.length)
    .filter(({ type }) => type === 'value' || typed.length >= minKey)
    .map(({ type, text: added, range, help }) => {
      const whole = `${text.slice(0, range.start)}${added}`;
      const term = whole.slice(start);
      return { type, term, text: type === 'value' ? `${whole} ` : whole, ...(help && { about: help.about }) };
    })
    .filter(({ term }) => term !== text.slice(start))
    .slice(0, maxShown);
}

function isSessionKey(key: string): key is SessionKey {
  return Object.hasOwn(sessionLanguage.keys, key);
}

/** The values that sessions have. */
function sessionValues(key: SessionKey, sessions: readonly SessionFacts[]): readonly Suggested[] {
  switch (key) {
    case 'agent':
      return unique(sessions.map(({ agent }) => agent));
    case 'folder':
      return unique(sessions.map(({ folder = '' }) => folder.split(/[/\\]/).findLast(Boolean) ?? ''));
    case 'model':
      return unique(sessions.map(({ model = '' }) => model));
    case 'outcome':
      return valuesFrom(sessionOutcomes);
  }
}

function unique(names: readonly string[]): readonly Suggested[] {
  return valuesFrom([...new Set(names)].filter((name) => name !== '').sort((a, b) => a.localeCompare(b)));
}
