import { oneLine } from './text';

/** Options for a text in a line of Markdown. */
interface TextOptions {
  /** Whether `@name` and `#1` are escaped, too: issue trackers make mentions and links of them. */
  readonly hasMentions?: boolean;
  /** In characters; longer texts are cut. */
  readonly max?: number;
}

/**
 * A text of any origin for a line, a heading, a list item, a table cell or the label of a link: one line, without links, pictures, HTML, or
 * emphasis that it brings along. `code` between backticks stays code.
 */
export function markdownText(text: string, { hasMentions = false, max = Infinity }: TextOptions = {}): string {
  return oneLine(text, max)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part.replaceAll('|', '\\|') : escaped(part, index === 0, hasMentions)))
    .join('');
}

function escaped(text: string, isFirst: boolean, hasMentions: boolean): string {
  const all = text
    // Underscores within a name are no emphasis.
    .replace(/[\\`*[\]<|~]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}_])/gu, '\\$&')
    .replace(hasMentions ? /[#@!>]/g : /(?!)/g, '\\$&');
  if (!isFirst) return all;
  // What would make a heading, a quotation or a list of it.
  return all.replace(/^[#>+=-]/, '\\$&').replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}

/** A text of any origin as code within a line. */
export function markdownCode(text: string, max?: number): string {
  const line = oneLine(text, max);
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
