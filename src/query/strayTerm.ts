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
 * @param isKey whether the language has such a key
 */
export function strayTerm(body: TokenBody, isKey: (name: string) => boolean): StrayTerm | undefined {
  if (body.type === 'keyed') {
    const isUnknown = !isKey(body.key) && body.values.length === 0 && body.key.length > 1;
    return isUnknown ? { written: body.source, instead: 'key:a', isPlausible: true } : undefined;
  }
  if (body.type !== 'word') return undefined;
  const { text } = body;
  const lower = text.toLowerCase();
  const word = Object.hasOwn(words, lower) ? words[lower] : undefined;
  if (word !== undefined) return { written: text, instead: word, isPlausible: text !== text.toUpperCase() };
  const operator = Object.hasOwn(operators, text) ? operators[text] : undefined;
  if (operator !== undefined) return { written: text, instead: operator, isPlausible: true };
  const [, negation = '', name = '', sign = '', value = ''] = comparison.exec(text) ?? [];
  if (isKey(name)) {
    const order = /[<>]/.test(sign) ? sign : '';
    const minus = sign === '!=' || negation !== '' ? '-' : '';
    return { written: text, instead: `${minus}${name}:${order}${value}`, isPlausible: false };
  }
  const [, before = '', inner] = bracket.exec(text) ?? [];
  if (inner !== undefined) {
    const instead = `${before.toLowerCase() === 'not' ? '-' : ''}${inner === '' ? 'key:a' : inner}`;
    return { written: text, instead, isPlausible: !isKey(/^-?(\w+)[:=<>]/.exec(inner)?.[1] ?? '') };
  }
  return oddKey.test(text) ? { written: text, instead: 'key:a', isPlausible: true } : undefined;
}
