import type { LevelValue, Query, SeqValue, Term } from './query';
import { printTime } from './timeValue';

/** Prints a query in its canonical form: parsing it gives the same terms. */
export function printQuery({ terms }: Pick<Query, 'terms'>): string {
  return terms.map(printTerm).join(' ');
}

function printTerm(term: Term): string {
  const text = printMeaning(term);
  if (!term.negated) return text;
  // A minus before these is text.
  return /^[\d\->]/.test(text) ? `!${text}` : `-${text}`;
}

function printMeaning(term: Term): string {
  switch (term.key) {
    case 'text':
      return term.isQuoted ? quote(term.text) : term.text;
    case 'regex':
      return `/${term.source}/${term.ignoresCase ? 'i' : ''}`;
    case 'level':
      return `level:${term.values.map(printLevel).join(',')}`;
    case 'since':
    case 'until':
      return `${term.key}:${term.values.map(printTime).join(',')}`;
    case 'seq':
      return `seq:${term.values.map(printSeq).join(',')}`;
    case 'session':
    case 'logger':
    case 'kind':
    case 'is':
    case 'has':
    case 'raw':
      return `${term.key}:${term.values.map(printValue).join(',')}`;
  }
}

function printLevel({ level, isExact }: LevelValue): string {
  return isExact ? `=${level}` : level;
}

function printSeq({ from, to }: SeqValue): string {
  return from !== undefined && from === to ? String(from) : `${from ?? ''}..${to ?? ''}`;
}

/** Quotes a value only if it needs it. */
export function printValue(value: string): string {
  return /[\s,]|^"/.test(value) ? quote(value) : value;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
