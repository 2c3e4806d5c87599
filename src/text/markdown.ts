import { made } from './lazy';
import { oneLine } from './text';

/**
 * A text of any origin for a line, a heading, a list item, a table cell or the label of a link: one line, without links, pictures, HTML, or
 * emphasis that it brings along. `code` between backticks stays code.
 * @param max in characters; longer texts are cut
 */
export function markdownText(text: string, { max = Infinity }: { readonly max?: number } = {}): string {
  return oneLine(text, max)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part.replaceAll('|', '\\|') : escaped(part, index === 0)))
    .join('');
}

function escaped(text: string, isFirst: boolean): string {
  // Underscores within a name are no emphasis.
  const all = text.replace(/[\\`*[\]<|~]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}_])/gu, '\\$&');
  if (!isFirst) return all;
  // What would make a heading, a quotation or a list of it.
  return all.replace(/^[#>+=-]/, '\\$&').replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}

/**
 * A text of any origin for a line in an issue tracker, which makes mentions, references and links of words even if their characters are escaped.
 * Whatever isn't a word of a language, a number, or a plain name is code, in which no tracker looks for any.
 */
export function issueText(text: string): string {
  const parts: { readonly isCode: boolean; text: string }[] = [];
  const add = (isCode: boolean, part: string): void => {
    const last = parts.at(-1);
    // The backticks of two codes side by side would be one run.
    if (part === '') return;
    if (last?.isCode === isCode) last.text += part;
    else parts.push({ isCode, text: part });
  };
  for (const [index, part] of oneLine(text, Infinity)
    .split(/`([^`]+)`/)
    .entries()) {
    if (index % 2 === 1) add(true, part);
    else for (const [at, word] of part.split(/( )/).entries()) add(!isWord(word, index + at === 0), word);
  }
  return parts.map((part) => (part.isCode ? codeOf(part.text) : part.text)).join('');
}

const name = String.raw`[\p{L}\p{M}\p{N}]+(?:[./=+_,'’–—-][\p{L}\p{M}\p{N}]+)*%?`;
const [opening, closing] = [String.raw`["'“‘„(]`, String.raw`["'”’.,;:!?…)]`];
const plainWord = made(
  () =>
    new RegExp(String.raw`^(?:${opening}*(?:[-/.]{0,2}${name}|[·–—→✓✗⊘⊖&%])${closing}*|${opening}+|${closing}+)$`, 'u'),
);
/** Addresses, abbreviated hashes of commits, and keys of issues such as `GH-12`. */
const linkedWord = made(() => /www\.|(?<![\p{L}\p{N}])[0-9a-f]{7,40}(?![\p{L}\p{N}])|\p{L}-\d/iu);

/** Whether a word, or a space, means nothing to Markdown and to issue trackers. */
function isWord(word: string, isFirst: boolean): boolean {
  if (word === ' ') return true;
  // At its beginning, a line may become a list or a rule.
  return plainWord().test(word) && !linkedWord().test(word) && !(isFirst && /^-|^\d+[.)]+$/.test(word));
}

/** A text of any origin as code within a line. */
export function markdownCode(text: string, max?: number): string {
  return codeOf(oneLine(text, max));
}

function codeOf(line: string): string {
  const fence = '`'.repeat(longestRun(line, 0) + 1);
  const pad = /^`|`$/.test(line) || line.trim() === '' ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A block of code whose fence is longer than any in the text. */
export function markdownBlock(text: string, language = ''): string {
  const fence = '`'.repeat(longestRun(text, 2) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * A link to a command with one argument. The label and the argument may have a name of any origin. The command gets a second argument, as
 * from a menu: a click has nobody else to tell about an error.
 */
export function commandLink(label: string, command: string, argument: object): string {
  // `encodeURIComponent` leaves parentheses, which would end the link.
  const encoded = encodeURIComponent(JSON.stringify([argument, { isLink: true }])).replace(
    /[!'()*~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `[${markdownText(label)}](command:${command}?${encoded})`;
}

function longestRun(text: string, atLeast: number): number {
  return (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), atLeast);
}
