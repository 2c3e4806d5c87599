import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { McpEntry } from '../agents/mcpForm';
import { plainEntry, workspaceKey } from '../agents/mcpForm';
import { HumanError } from '../text/humanError';
import { t } from '../text/translator';
import type { ConfigFile } from './configFiles';
import type { ConfigNode } from './configNode';
import { nodeAt, valueOf } from './configNode';
import { listed } from './configuredServers';
import { parseConfig } from './parseConfig';

/** A server to add: its name, and its program with its arguments. */
export interface AddedServer {
  readonly name: string;
  readonly words: readonly string[];
}

/**
 * Adds a server to the text of a settings file, and changes nothing else in it.
 * @param text empty for a new file
 * @returns `undefined` if it is there already
 * @throws HumanError if it can't be added, and ConfigError if the text isn't well-formed
 */
export function withServer(text: string, file: ConfigFile, server: AddedServer): string | undefined {
  const { name, words } = server;
  const root = parseConfig(text, file);
  const path = [...tableIn(root, file), name];
  const entry = entryOf(file, server);
  const existing = nodeAt(root, path);
  if (existing) {
    if (isDeepStrictEqual(valueOf(existing), entry)) return undefined;
    throw new HumanError(
      t('{0} has a server {1} with other settings. Remove it there, then try again.', file.path, name),
    );
  }
  if (!listed(root, file)(name)) {
    const lists = [file.form.allowed, file.form.excluded].flatMap((keys) => (keys ? [keys.join('.')] : []));
    throw new HumanError(
      t("{0} doesn't let {1} start. Change {2} there, then try again.", file.path, name, lists.join(', ')),
    );
  }
  const added = file.form.syntax === 'json' ? jsonWith(text, path, entry) : tomlWith(text, path, server);
  if (!hasMember(added, file, path)) {
    throw new HumanError(
      t("{0} has its servers in a form that can't be added to. Add this one by hand: {1}", file.path, words.join(' ')),
    );
  }
  return added;
}

/** The table that has servers; if there is none yet, the client's first. */
function tableIn(root: ConfigNode, { form }: ConfigFile): readonly string[] {
  const tables = form.tables.filter((table) => !table.includes(workspaceKey));
  const existing = tables.filter((table) => nodeAt(root, table)?.type === 'object');
  return existing.toSorted((a, b) => b.length - a.length)[0] ?? tables[0] ?? [];
}

function hasMember(text: string, file: ConfigFile, path: readonly string[]): boolean {
  try {
    return nodeAt(parseConfig(text, file), path) !== undefined;
  } catch {
    return false;
  }
}

function entryOf({ client }: ConfigFile, { words }: AddedServer): Readonly<Record<string, unknown>> {
  const { commands, fixed }: McpEntry = client.form.entry ?? plainEntry;
  const [command, ...args] = words;
  const list = commands.find((form) => form.type === 'list');
  return { ...fixed, ...(list ? { [list.path[0] ?? '']: words } : { command, args }) };
}

/** Inserts it as the first member of its object, so that nothing else has to change: neither commas nor what is behind them. */
function jsonWith(text: string, path: readonly string[], entry: object): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const root = parseTree(text.replace(/^\ufeff/, ' '), [], { allowTrailingComma: true });
  if (!root) {
    const lead = /\S$/.test(text) ? eol : ''; // The last line may be a comment.
    return `${text}${lead}${JSON.stringify(nested(path, entry), undefined, 2).replaceAll('\n', () => eol)}${eol}`;
  }
  let [object, depth] = [root, 0];
  for (let next: Node | undefined = root; next && depth < path.length; depth++) {
    object = next;
    next = findNodeAtLocation(root, path.slice(0, depth + 1));
  }
  const [key = '', ...rest] = path.slice(depth - 1);
  const at = object.offset + 1;
  const first = object.children?.[0];
  const [, lineIndent = ''] = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, at)) ?? [];
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  const [lead = ''] = first ? (/^\s*/.exec(text.slice(at, first.offset)) ?? []) : [`${eol}${lineIndent}${unit}`];
  const [, indent] = /\n([ \t]*)$/.exec(lead) ?? [];
  const value = nested(rest, entry);
  const shown =
    indent === undefined
      ? JSON.stringify(value)
      : JSON.stringify(value, undefined, unit).replaceAll('\n', () => `${eol}${indent}`);
  const close = /^[ \t]*\r?\n/.test(text.slice(at)) ? '' : `${eol}${lineIndent}`;
  const member = `${lead}${JSON.stringify(key)}: ${shown}${first ? ',' : close}`;
  return text.slice(0, at) + member + text.slice(at);
}

function nested(path: readonly string[], entry: object): object {
  return path.reduceRight<object>((value, key) => ({ [key]: value }), entry);
}

function tomlWith(text: string, path: readonly string[], { words }: AddedServer): string {
  const [command = '', ...args] = words.map((word) => JSON.stringify(word));
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  const lines = [`[${path.join('.')}]`, `command = ${command}`, `args = [${args.join(', ')}]`];
  return `${text}${before}${lines.join(eol)}${eol}`;
}
