import type { ValueEnds } from '../ends';
import type { NameInText } from '../names';
import { secretKind } from '../names';
import type { Span } from '../span';
import { isCode } from '../values';
import type { Name } from './named';
import { isLikely, quotedSecret } from './named';

/** Maximum length of the line with the headings, in characters. */
const maxHeadings = 1000;

/** What is between the cells of Markdown and of what clients of databases print, and between the fields of TSV and CSV. */
const delimiters = ['|', '│', '\t', ',', ';'];

const heading = String.raw`[\p{L}\d_.-]{1,40}(?: [\p{L}\d_.-]{1,20}){0,3}`;
const isHeading = new RegExp(`^${heading}$`, 'u');
/** The headings of TSV and CSV. Code and sentences have commas, too. */
const headings = new RegExp(
  String.raw`^\s{0,8}(?!(?:select|import|export|from)\s)"?(?:${heading})?"?(?:[,;\t] ?"?${heading}"?)+\s{0,8}$`,
  'iu',
);

/** The cells of a framed table have blanks around them, unless the whole line is in a frame. */
const framed = /^\s*[|│]|\s[|│]\s/;

const ruler = /^[\s|│+:=─═-]*[-─═]{2}[^\p{L}\d]*$/u;

/** A piece of a line, without blanks, quotes and marks of Markdown. */
interface Cell {
  readonly start: number;
  readonly end: number;
}

/** The secrets in the columns of the table that a name heads, or in the cell beside it. */
export function tableSecrets(ends: ValueEnds, { start: at, end: nameEnd }: NameInText): readonly Span[] {
  const { text } = ends;
  const from = Math.max(0, at - maxHeadings);
  const start = from + text.slice(from, at).lastIndexOf('\n') + 1;
  const end = ends.line(nameEnd);
  if (end - start > maxHeadings) return [];
  const line = text.slice(start, end);
  const delimiter = delimiters.find((char) => line.includes(char));
  if (delimiter === undefined) return [];
  const cells = cellsOf(text, start, end, delimiter);
  const isFramed = framed.test(line);
  const beside = isFramed ? secretBeside(ends, cells, at) : [];
  if (beside.length > 0 || start < ends.tableEnd || !(isFramed || headings.test(line))) return beside;
  return secretsBelow(ends, cells, end, delimiter);
}

/** `| password | … |` */
function secretBeside(ends: ValueEnds, cells: readonly Cell[], at: number): readonly Span[] {
  const index = cells.findIndex(({ start, end }) => start <= at && at < end);
  const [cell, next] = [cells[index], cells[index + 1]];
  const name = cell && nameOf(ends.text, cell);
  if (name === undefined || next === undefined) return [];
  const value = ends.text.slice(next.start, next.end);
  // Those are types and algorithms: `varchar(255)`, `sha256`.
  return isCode(value) || /^[a-z]{2,8}\d{1,4}$/.test(value) ? [] : secretIn(ends, name, next);
}

/** Looks at each row once, whatever number of headings are names of secrets. */
function secretsBelow(ends: ValueEnds, cells: readonly Cell[], end: number, delimiter: string): readonly Span[] {
  const { text } = ends;
  const names = cells.map((cell) => nameOf(text, cell));
  const found: Span[] = [];
  let rowEnd = end;
  while (rowEnd < text.length) {
    const start = rowEnd + (text.startsWith('\r\n', rowEnd) ? 2 : 1);
    const next = ends.line(start);
    const isRuler = next - start < maxHeadings && ruler.test(text.slice(start, next));
    const row = isRuler ? [] : cellsOf(text, start, next, delimiter);
    if (!isRuler && row.length !== cells.length) break;
    row.forEach((cell, index) => {
      const name = names[index];
      if (name !== undefined) found.push(...secretIn(ends, name, cell));
    });
    rowEnd = next;
  }
  ends.tableEnd = rowEnd;
  return found;
}

function nameOf(text: string, { start, end }: Cell): Name | undefined {
  const words = text.slice(start, end);
  if (end - start > 64 || !isHeading.test(words)) return undefined;
  const name = words.replaceAll(' ', '_');
  const kind = secretKind(name);
  return kind && { name, kind };
}

function secretIn(ends: ValueEnds, name: Name, { start, end }: Cell): readonly Span[] {
  const kind = name.kind === 'secret' ? 'password' : name.kind;
  return isLikely(kind, ends.text.slice(start, end)) ? quotedSecret(ends, name, start, end) : [];
}

const outside = /[\s"'`*]/;

function cellsOf(text: string, from: number, to: number, delimiter: string): readonly Cell[] {
  const cells: Cell[] = [];
  for (let at = from; at <= to;) {
    // A field in quotes may have delimiters in it.
    const quoted = text.charAt(at) === '"' ? text.indexOf('"', at + 1) : -1;
    const next = text.indexOf(delimiter, quoted >= 0 && quoted < to ? quoted : at);
    const end = next < 0 || next > to ? to : next;
    cells.push(trimmed(text, at, end));
    at = end + 1;
  }
  return cells;
}

function trimmed(text: string, from: number, to: number): Cell {
  let [start, end] = [from, to];
  while (start < end && outside.test(text.charAt(start))) start++;
  while (end > start && outside.test(text.charAt(end - 1))) end--;
  return { start, end };
}
