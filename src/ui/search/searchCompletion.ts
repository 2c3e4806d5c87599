import type { Completion, Suggested } from '../../log/query/completion';
import { completeIn, valuesFrom, valuesOf } from '../../log/query/completion';
import { queryTokens } from '../../log/query/queryTokens';
import { searchLanguage } from '../../runs/search/searchQuery';
import type { SessionFacts } from '../../runs/search/searchQuery';

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
}

/** Completes the last term of a search: keys, and the agents and folders of the sessions. */
export function completeSearch(text: string, sessions: readonly SessionFacts[]): readonly SearchCompletion[] {
  const last = queryTokens(text).at(-1);
  if (!last || last.range.end < text.length) return [];
  const { start } = last.range;
  const typed = text.slice(start).replace(/^-/, '');
  return completeIn(searchLanguage, (key) => suggested(key, sessions), text, text.length)
    .filter(({ type }) => type === 'value' || typed.length >= minKey)
    .map(({ type, text: added, range }) => {
      const whole = `${text.slice(0, range.start)}${added}`;
      return { type, term: whole.slice(start), text: type === 'value' ? `${whole} ` : whole };
    })
    .filter(({ term }) => term !== text.slice(start))
    .slice(0, maxShown);
}

function suggested(key: keyof typeof searchLanguage.keys, sessions: readonly SessionFacts[]): readonly Suggested[] {
  switch (key) {
    case 'agent':
      return unique(sessions.map(({ agent }) => agent));
    case 'folder':
      return unique(sessions.map(({ folder = '' }) => folder.split(/[/\\]/).findLast(Boolean) ?? ''));
    default:
      return valuesOf(key, {});
  }
}

function unique(names: readonly string[]): readonly Suggested[] {
  return valuesFrom([...new Set(names)].filter((name) => name !== '').sort((a, b) => a.localeCompare(b)));
}
