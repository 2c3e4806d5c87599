import { printValue } from '../../src/query/completion';
import type { LevelValue, Query, SeqValue, Term } from '../../src/query/query';
import type { TimeValue } from '../../src/query/timeValue';
import { unitMs } from '../../src/query/timeValue';

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
    case 'file':
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

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The shortest form that `parseTime` reads back. */
export function printTime(value: TimeValue): string {
  switch (value.type) {
    case 'ago': {
      const units = Object.entries(unitMs).reverse();
      const [unit = 'ms', ms = 1] = units.find(([, size]) => value.ms % size === 0 && value.ms >= size) ?? [];
      return `${value.ms / ms}${unit}`;
    }
    case 'clock': {
      const text = new Date(value.ms).toISOString().slice(11, 23);
      return text.replace(/(?<=:\d\d)(:00)?\.000$/, '');
    }
    case 'date':
      return new Date(value.ms).toISOString();
  }
}
