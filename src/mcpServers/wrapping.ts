import type { McpCommand, McpEntry } from '../agents/mcpForm';
import { plainEntry } from '../agents/mcpForm';
import { tappedWords } from '../live/config/tapWords';
import type { ConfigFile } from './configFiles';
import type { ConfigList, ConfigMember, ConfigNode } from './configNode';
import { memberAt, nodeAt, valueOf } from './configNode';
import { parseConfig } from './parseConfig';

/** The entry of a server in the text of a settings file. */
export interface EntryPlace {
  readonly file: ConfigFile;
  readonly path: readonly string[];
}

/** What was written into an entry to put the tap in front of its command, as tokens of the file. */
export interface Wrapping {
  /** The program that was there, if it is in a field of its own, and what replaced it. */
  readonly program?: { readonly before: string; readonly after: string };
  /** The words in front of the arguments, or of the command in a list. */
  readonly words: readonly string[];
  /** The field with the arguments, as written, if there was none. */
  readonly added?: string;
}

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Puts words in front of a server's command, and changes nothing else in the text.
 * @param front from the program of Node.js to the `--` of the tap
 * @returns `undefined` if the entry isn't there, has no command, or is wrapped already
 */
export function wrapped(
  text: string,
  place: EntryPlace,
  front: readonly string[],
): { readonly text: string; readonly wrapping: Wrapping } | undefined {
  const found = commandAt(parseConfig(text, place.file), place);
  if (!found || isTapped(found)) return undefined;
  const [program = '', ...rest] = front.map(quoted);
  if (found.type === 'list') {
    const words = [program, ...rest];
    return { text: edited(text, [insertion(found.list, words)]), wrapping: { words } };
  }
  const { command, args } = found;
  const before = text.slice(command.start, command.end);
  const words = [...rest, before];
  const replaced = { start: command.start, end: command.end, text: program };
  const base = { program: { before, after: program }, words };
  if (args) return { text: edited(text, [replaced, insertion(args, words)]), wrapping: base };
  const { edit, added } = newArgs(text, found, words);
  return { text: edited(text, [replaced, edit]), wrapping: { ...base, added } };
}

/**
 * Takes the tap out of an entry again, and changes nothing else in the text.
 * @param wrapping what was written; without it, the words in front of the command tell
 * @returns `absent` if no tap is there, `changed` if other words are in front than were written
 */
export function unwrapped(
  text: string,
  place: EntryPlace,
  wrapping?: Wrapping,
): { readonly text: string } | 'absent' | 'changed' {
  const found = commandAt(parseConfig(text, place.file), place);
  if (!found || !isTapped(found)) return 'absent';
  const list = found.type === 'list' ? found.list : found.args;
  if (!list) return 'absent';
  const tokens = list.items.map((item) => tokenOf(text, item));
  const known = wrapping ?? wrappingIn(text, found, tokens);
  if (!known || known.words.some((word, index) => word !== tokens[index])) return 'changed';
  if (found.type === 'list') return { text: edited(text, [removal(text, list, known.words.length)]) };
  const { command } = found;
  if (known.program?.after !== text.slice(command.start, command.end)) return 'changed';
  const restored = { start: command.start, end: command.end, text: known.program.before };
  const { added } = known;
  const field = added === undefined ? undefined : placeOfAdded(text, found, added);
  return { text: edited(text, [restored, field ?? removal(text, list, known.words.length)]) };
}

type FoundCommand = { readonly type: 'list'; readonly list: ConfigList } | SplitCommand;

interface SplitCommand {
  readonly type: 'split';
  readonly form: Extract<McpCommand, { readonly type: 'split' }>;
  readonly member: ConfigMember;
  readonly command: { readonly start: number; readonly end: number; readonly value: unknown };
  readonly args?: ConfigList;
}

function commandAt(root: ConfigNode, { file, path }: EntryPlace): FoundCommand | undefined {
  const entry: McpEntry = file.client.form.entry ?? plainEntry;
  for (const form of entry.commands) {
    if (form.type === 'list') {
      const list = nodeAt(root, [...path, ...form.path]);
      if (list?.type === 'list' && list.items.length > 0) return areWords(list) ? { type: 'list', list } : undefined;
      continue;
    }
    const member = memberAt(root, [...path, ...form.command]);
    const args = nodeAt(root, [...path, ...form.args]);
    if (member?.node.type !== 'value' || typeof member.node.value !== 'string') continue;
    if (args !== undefined && (args.type !== 'list' || !areWords(args))) return undefined;
    return { type: 'split', form, member, command: member.node, ...(args && { args }) };
  }
  return undefined;
}

function areWords({ items }: ConfigList): boolean {
  return items.every(({ type }) => type === 'value');
}

function isTapped(found: FoundCommand): boolean {
  const items = found.type === 'list' ? found.list.items : (found.args?.items ?? []);
  const words = items.map((item) => String(valueOf(item)));
  return tappedWords(found.type === 'list' ? words : [String(found.command.value), ...words]) !== undefined;
}

/** What was written, by its words: the first `--` is the tap's. */
function wrappingIn(text: string, found: FoundCommand, tokens: readonly string[]): Wrapping | undefined {
  const items = found.type === 'list' ? found.list.items : (found.args?.items ?? []);
  const split = items.findIndex((item) => valueOf(item) === '--');
  if (found.type === 'list') return { words: tokens.slice(0, split + 1) };
  const before = tokens[split + 1];
  const after = text.slice(found.command.start, found.command.end);
  if (before === undefined) return undefined;
  const added = split + 2 === tokens.length ? addedIn(text, found) : undefined;
  return { program: { before, after }, words: tokens.slice(0, split + 2), ...(added !== undefined && { added }) };
}

/** The field with the arguments, if it is where `newArgs` puts it. */
function addedIn(text: string, { form, member, command, args }: SplitCommand): string | undefined {
  if (!args) return undefined;
  const { start, last, style } = member.key;
  const name = form.args.at(-1) ?? '';
  if (style === 'line') {
    const head = `${text.slice(start, last)}${name} = `;
    const at = args.start - head.length;
    const isBeside = text.startsWith(head, at) && /^\r?\n[ \t]*$/.test(text.slice(args.end, start));
    return isBeside ? text.slice(at, start) : undefined;
  }
  const head = text.slice(command.end, args.start).replace(/^,\s*/, '');
  const isBeside = head === (style === 'json' ? `${quoted(name)}: ` : `${text.slice(start, last)}${name} = `);
  return isBeside ? text.slice(command.end, args.end) : undefined;
}

/** Adds words in front of a list's items. */
function insertion({ start, items: [first] }: ConfigList, words: readonly string[]): TextEdit {
  const at = first ? startOf(first) : start + 1;
  return { start: at, end: at, text: `${words.join(', ')}${first ? ', ' : ''}` };
}

/** Removes the first items of a list, with the comma after them. */
function removal(text: string, { items, end }: ConfigList, count: number): TextEdit {
  const [first, last, next] = [items[0], items[count - 1], items[count]];
  const start = first ? startOf(first) : end - 1;
  if (next) return { start, end: startOf(next), text: '' };
  const afterLast = last ? endOf(last) : start;
  const [comma = ''] = /^\s*,/.exec(text.slice(afterLast, end - 1)) ?? [];
  return { start, end: afterLast + comma.length, text: '' };
}

/** A field for the arguments, beside that of the program. */
function newArgs(
  text: string,
  { form, member, command }: SplitCommand,
  words: readonly string[],
): { readonly edit: TextEdit; readonly added: string } {
  const { start, last, style } = member.key;
  const name = form.args.at(-1) ?? '';
  const [, lineEnd, indent = ''] = /(\r?\n|^)([ \t]*)$/.exec(text.slice(0, start)) ?? [];
  const list = `[${words.join(', ')}]`;
  if (style === 'line') {
    const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
    const added = `${text.slice(start, last)}${name} = ${list}${lineBreak}${indent}`;
    return { edit: { start, end: start, text: added }, added };
  }
  const at = command.end;
  const before = style === 'json' && lineEnd ? `${lineEnd}${indent}` : ' ';
  const field = style === 'json' ? `${quoted(name)}: ${list}` : `${text.slice(start, last)}${name} = ${list}`;
  const added = `,${before}${field}`;
  return { edit: { start: at, end: at, text: added }, added };
}

/** Where the added field is, if it is still as it was written. */
function placeOfAdded(text: string, { member, command }: SplitCommand, added: string): TextEdit | undefined {
  const start = member.key.style === 'line' ? member.key.start - added.length : command.end;
  return start >= 0 && text.startsWith(added, start) ? { start, end: start + added.length, text: '' } : undefined;
}

/** A string as JSON and TOML write it. TOML also wants DEL escaped. */
function quoted(word: string): string {
  return JSON.stringify(word).replaceAll('\x7f', '\\u007f');
}

function tokenOf(text: string, node: ConfigNode): string {
  return text.slice(startOf(node), endOf(node));
}

function startOf(node: ConfigNode): number {
  return node.type === 'object' ? 0 : node.start;
}

function endOf(node: ConfigNode): number {
  return node.type === 'object' ? 0 : node.end;
}

function edited(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((result, { start, end, text: added }) => result.slice(0, start) + added + result.slice(end), text);
}
