import type { ValueEnds } from '../ends';
import { quotedSecret } from '../assigned/named';
import { secretKind } from '../names';
import { quotedPassword } from '../places';
import type { Span } from '../span';
import { marker, maskedEnd, present } from '../span';
import { isMixed } from '../values';

/** How far back the columns of an INSERT are looked for, in characters. */
const maxColumns = 2000;

const columnsOf = /\binto\s{1,8}[^\s()]{1,128}\s{0,8}\((?<columns>[^()]{1,1500})\)\s{0,8}values$/i;
const opening = /\s{0,40},?\s{0,40}\(/y;
/** A value and what ends it. */
const value =
  /\s{0,40}(?:[nN]?'(?<single>(?:[^'\\]|''|\\.){0,4096})'|"(?<double>(?:[^"\\]|\\.){0,4096})"|(?:[^,()'"]|\([^()]{0,400}\)){0,400})\s{0,40}(?<end>[,)])/dy;

/** The secrets in the rows of `INSERT INTO users (name, password) VALUES ('…', '…'), …`; `at` is in the word VALUES. */
export function insertedSecrets(ends: ValueEnds, at: number): readonly Span[] {
  const { text } = ends;
  const after = at + (/\W/.exec(text.slice(at, at + 8))?.index ?? 0);
  const columns = columnsOf.exec(text.slice(Math.max(0, after - maxColumns), after))?.groups?.['columns'];
  const names = columns?.split(',').map((column) => {
    const name = column.replace(/[\s"'`[\]]/g, '');
    const kind = secretKind(name);
    return kind && { name, kind };
  });
  if (names?.some((name) => name !== undefined) !== true) return [];
  const found: Span[] = [];
  for (let from = after; ;) {
    opening.lastIndex = from;
    if (!opening.test(text)) return found;
    value.lastIndex = opening.lastIndex;
    for (const name of names) {
      const { indices, groups } = value.exec(text) ?? {};
      if (groups === undefined) return found;
      const [start, end] = indices?.groups?.['single'] ?? indices?.groups?.['double'] ?? [0, 0];
      if (name !== undefined && end > start) found.push(...quotedSecret(ends, name, start, end));
      if (groups['end'] === ')') break;
    }
    if (value.lastIndex <= from) return found;
    from = value.lastIndex;
  }
}

/** The password after `IDENTIFIED BY`, or after the same in small letters, as a sentence has it, too; `at` is where `BY` ends. */
export function identifiedPassword(ends: ValueEnds, at: number): readonly Span[] {
  const { text } = ends;
  const quote = /["']/.exec(text.charAt(at + 1))?.[0];
  if (quote !== undefined && text.startsWith('BY', at - 2)) return present(quotedPassword(ends, at + 1));
  const start = at + 1 + (quote?.length ?? 0);
  const end = ends.opened(quote, start, 'text');
  // Behind a backslash it is searched once decoded.
  const isFree = isMixed(text.slice(start, end)) && maskedEnd(text, start) <= 0 && text.charAt(start) !== '\\';
  return isFree ? [{ start, end, text: marker }] : [];
}
