import { made } from './lazy';
import { wholeWordsTo } from './wholeWords';

// Makes text from agents safe to show. What is stored stays unchanged.

/** ANSI escape sequences (ECMA-48): OSC up to its terminator, CSI, and the short ones. */
const ansi = /\u001b\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[\u001b\u009b]\[?[0-9;:<=>?]{0,32}[ -/]{0,4}[@-~]/g;

/** The same, and colors as escaped in strings of JSON and Python. */
export const writtenAnsi = new RegExp(
  String.raw`${ansi.source}|\\{1,8}(?:u001[bB]|x1[bB]|033)\[[0-9;:<=>?]{0,32}[A-Za-z]`,
  'g',
);

/**
 * What draws nothing, or reorders what is drawn: control characters but tab and line feed, and what Unicode calls default ignorable, such as
 * zero-width spaces, tags and bidirectional overrides (Unicode TR 36). Joiners between letters that aren't ASCII, and variation selectors
 * behind emoji, are spelling: they stay.
 */
const hidden = made(
  () =>
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufff9-\ufffb]|(?![\u200c\u200d\ufe0e\ufe0f])\p{DI}|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<![^\u0000-\u007f\p{DI}]\ufe0f?)[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u007f\p{DI}])/gu,
);

/** A faster test that finds at least all of these, and unusual line breaks. */
const suspicious =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43]/;

/** Without ANSI escapes and hidden characters; line breaks of any kind become line feeds. */
export function plainText(text: string): string {
  if (!suspicious.test(text)) return text; // nearly always
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(ansi, '')
    .replace(hidden(), '');
}

/** Characters that look like a line break or a space but are neither. */
const misleading = /[\u2028\u2029\u2800]/g;

/** With hidden characters as escapes, such as `\u200b`, for text that must be shown completely. JSON keeps its value. */
export function withEscapes(text: string): string {
  if (!suspicious.test(text) && text.search(misleading) < 0) return text;
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text
    .replace(hidden(), (char) => char.split('').map(escaped).join(''))
    .replace(misleading, (char) => escaped(char));
}

/** Without ANSI escapes, with line feeds as line breaks, and with hidden characters as escapes. */
export function shownText(text: string): string {
  if (!suspicious.test(text)) return withEscapes(text);
  return withEscapes(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(ansi, ''));
}

/**
 * Cuts a text to at most `max` UTF-16 units, and adds how much is missing. It ends in no part of a word, because it may not have been searched
 * for secrets yet: of a secret's beginning nothing shows any longer that it is one.
 */
export function cut(text: string, max: number): string {
  return cutAt(text, max, wholeWordsTo);
}

/** Like `cut`, but anywhere: for texts that are only shown, and have been searched for secrets. */
export function cutAnywhere(text: string, max: number): string {
  return cutAt(text, max, anywhere);
}

/** Plain text on one line, at most `max` characters of it. Ends in no part of a word, like `cut`. */
export function oneLine(text: string, max = 500): string {
  return lineTo(text, max, wholeWordsTo);
}

/** Like `oneLine`, but cut anywhere, like `cutAnywhere`. */
export function shownLine(text: string, max = 500): string {
  return lineTo(text, max, anywhere);
}

/** Says where to cut a text that is longer than `max`. */
type CutTo = (text: string, max: number) => number;

function cutAt(text: string, max: number, cutTo: CutTo): string {
  if (text.length <= max) return text;
  const end = cutTo(text, max);
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

function lineTo(text: string, max: number, cutTo: CutTo): string {
  // Messages may have many megabytes.
  const head = text.length > max * 4 ? text.slice(0, cutTo(text, max * 4)) : text;
  const line = plainText(head).replace(/\s+/g, ' ').trim();
  if (line.length > max) return `${line.slice(0, cutTo(line, max))}…`;
  return head.length === text.length ? line : `${line}…`;
}

/** Never between the halves of a surrogate pair. */
function anywhere(text: string, max: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
}

/** Plain text on one line, however long, and with its spaces. */
export function inLine(text: string): string {
  return plainText(text).replace(/[\t\n]+/g, ' ');
}

/** Without the characters at its end that match. A pattern that ends in `+$` looks at a run of them again from each of its characters. */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The source of a regular expression that matches this text, outside of character classes and with any flag. */
export function patternOf(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Asterisks around words, not those of a path's pattern. */
const bold = made(() => /(?<![\w/*])\*\*(?=\p{L})([^*\n]{1,200})\*\*(?![\w/*])/gu);

/** Without backticks and bold type, for places that don't support Markdown. */
export function withoutMarks(text: string): string {
  return text.replaceAll('`', '').replace(bold(), (_, words: string) => words);
}

/** `2.5 s`, `340 ms`, `3 min 20 s`, `5 h 2 min`, `9 d 4 h`: a duration in milliseconds for display. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `14 min`, `3 h`, `2 d`: a duration in milliseconds in its largest unit, rounded down. */
export function roughDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `340 B`, `2.5 KB`, `14 MB`: a size in bytes for display, in steps of 1000. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What rounds to 1000 is one of the next unit.
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${sizeUnits[unit] ?? ''}`;
}

/** `$4.12`, `$0.0123` */
export function dollars(usd: number): string {
  return `$${usd < 0.1 ? usd.toFixed(4).replace(/0{1,2}$/, '') : usd.toFixed(2)}`;
}

/** Progress of a request (MCP "Progress"). */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** `40 % · copying`, `3 of ? · …`, or only the message if there is no number. */
export function progressText({ progress, total, message }: Progress): string {
  const known = total !== undefined && total > 0 && Number.isFinite(progress);
  const percent = known ? [`${Math.max(0, Math.min(100, Math.round((100 * progress) / total)))} %`] : [];
  const words = message === undefined ? '' : oneLine(message, 100);
  return [...percent, ...(words === '' ? [] : [words])].join(' · ');
}
