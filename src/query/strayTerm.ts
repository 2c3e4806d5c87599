import type { TokenBody } from './queryTokens';

/** A term in the syntax of another query language, which is searched for as text. */
export interface StrayTerm {
  readonly written: string;
  /** What probably is meant. */
  readonly instead: string;
  /** It may be meant as text, too. */
  readonly isPlausible: boolean;
}

const words: Readonly<Record<string, string>> = { or: 'key:a,b', and: 'key:a other:b', not: '-key:a' };
const operators: Readonly<Record<string, string>> = {
  '||': 'key:a,b',
  '|': 'key:a,b',
  '&&': 'key:a other:b',
  '&': 'key:a other:b',
  '=': 'key:a',
  '==': 'key:a',
  ':': 'key:a',
  '!=': '-key:a',
  '>': 'key:>1',
  '<': 'key:<1',
  '>=': 'key:>=1',
  '<=': 'key:<=1',
};
const comparison = /^(!?)([A-Za-z][\w.]*)(==?|!=|[<>]=?)(.*)$/;
/** Names with a minus aren't keys of any language. */
const oddKey = /^([A-Za-z][\w.-]*):(?!\/\/)/;
const bracket = /^(?:(and|or|not)(?=\())?\(+(.*?)\)*$/i;

/**
 * Finds out whether a term is meant otherwise than it is read.
 * @param keys the names of the language's keys
 */
export function strayTerm(body: TokenBody, keys: ReadonlySet<string>): StrayTerm | undefined {
  const isKey = (name: string): boolean => keys.has(name.toLowerCase());
  if (body.type === 'keyed') return strayValues(body, isKey(body.key));
  if (body.type !== 'word') return undefined;
  const { text } = body;
  const lower = text.toLowerCase();
  const word = Object.hasOwn(words, lower) ? words[lower] : undefined;
  if (word !== undefined) return { written: text, instead: word, isPlausible: text !== text.toUpperCase() };
  const operator = Object.hasOwn(operators, text) ? operators[text] : undefined;
  if (operator !== undefined) return { written: text, instead: operator, isPlausible: true };
  const [, negation = '', name = '', sign = '', value = ''] = comparison.exec(text) ?? [];
  const key = isKey(name) ? name : nearestOf(name.toLowerCase(), keys);
  if (key !== undefined) {
    const order = /[<>]/.test(sign) ? sign : '';
    const minus = sign === '!=' || negation !== '' ? '-' : '';
    return { written: text, instead: `${minus}${key}:${order}${value}`, isPlausible: key !== name };
  }
  const [, before = '', inner] = bracket.exec(text) ?? [];
  if (inner !== undefined) {
    const instead = `${before.toLowerCase() === 'not' ? '-' : ''}${inner === '' ? 'key:a' : inner}`;
    return { written: text, instead, isPlausible: !isKey(/^-?(\w+)[:=<>]/.exec(inner)?.[1] ?? '') };
  }
  return oddKey.test(text) ? { written: text, instead: 'key:a', isPlausible: true } : undefined;
}

function strayValues(body: Extract<TokenBody, { type: 'keyed' }>, isKey: boolean): StrayTerm | undefined {
  const { key, values, source } = body;
  if (!isKey) {
    const isOther = values.length === 0 && key.length > 1;
    return isOther ? { written: source, instead: 'key:a', isPlausible: true } : undefined;
  }
  const parts = source.slice(key.length + 1).split(/\|+/);
  if (parts.length === 1 || source.includes('"')) return undefined;
  return { written: source, instead: `${key}:${parts.filter((part) => part !== '').join(',')}`, isPlausible: true };
}

/** The key that a name probably is a slip of: a letter too many, missing, wrong, or in its neighbour's place. */
function nearestOf(name: string, keys: ReadonlySet<string>): string | undefined {
  return name.length < 4 ? undefined : [...keys].find((key) => key.length >= 4 && isSlip(name, key));
}

function isSlip(name: string, key: string): boolean {
  let same = 0;
  while (same < key.length && name[same] === key[same]) same++;
  const [given, meant] = [name.slice(same), key.slice(same)];
  const isSwapped = given[0] === meant[1] && given[1] === meant[0] && given.slice(2) === meant.slice(2);
  return isSwapped || [given, given.slice(1)].some((one) => one === meant.slice(1)) || given.slice(1) === meant;
}
