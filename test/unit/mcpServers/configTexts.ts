import * as fc from 'fast-check';
import type { AgentId } from '../../../src/agents/agents';
import { workspaceKey } from '../../../src/agents/mcpForm';
import type { ConfigFile } from '../../../src/mcpServers/configFiles';
import { configFiles } from '../../../src/mcpServers/configFiles';

/** A settings file as a client or a person may have written it. */
export interface WrittenConfig {
  readonly file: ConfigFile;
  readonly text: string;
  /** The keys of each server's entry, and its command. */
  readonly servers: readonly { readonly path: readonly string[]; readonly words: readonly string[] }[];
}

interface ServerText {
  readonly name: string;
  readonly command: string;
  /** Without: no such field. */
  readonly args?: readonly string[];
  readonly env?: string;
  readonly isFirst: boolean;
}

interface Format {
  readonly lineBreak: '\n' | '\r\n' | '';
  readonly indent: string;
  readonly comments: boolean;
  readonly trailing: boolean;
  readonly mark: boolean;
  readonly spread: boolean;
  readonly toml: 'tables' | 'inline' | 'dotted';
  readonly literal: boolean;
}

const folder = process.platform === 'win32' ? 'c:\\work\\project' : '/work/project';
const home = process.platform === 'win32' ? 'c:\\users\\me' : '/home/me';

/** One file of each client for each syntax and table. */
export const knownFiles: readonly ConfigFile[] = configFiles({
  machine: { platform: process.platform, home, env: {}, editor: `${home}/User` },
  folders: [folder],
});

const word = fc.oneof(
  fc.constantFrom('npx', '-y', '@modelcontextprotocol/server-memory', './run.sh', '--'),
  fc.constantFrom('${workspaceFolder}', 'a b', '"', '\\'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
);
const usualName = fc.constantFrom('memory', 'file-system', 'a.b', '-x', 'schlüssel');
const serverName = fc.oneof(usualName, fc.string({ minLength: 1, maxLength: 6 }));
const more = { args: fc.array(word, { maxLength: 4 }), env: fc.string({ maxLength: 6 }) };
const server: fc.Arbitrary<ServerText> = fc.record(
  { name: serverName, command: word, isFirst: fc.boolean(), ...more },
  { requiredKeys: ['name', 'command', 'isFirst'] },
);
const format: fc.Arbitrary<Format> = fc.record({
  lineBreak: fc.constantFrom('\n', '\r\n', ''),
  indent: fc.constantFrom('', '  ', '\t'),
  comments: fc.boolean(),
  trailing: fc.boolean(),
  mark: fc.boolean(),
  spread: fc.boolean(),
  toml: fc.constantFrom('tables', 'inline', 'dotted'),
  literal: fc.boolean(),
});

export function writtenConfig(client: AgentId): fc.Arbitrary<WrittenConfig> {
  const files = fc.constantFrom(...knownFiles.filter((file) => file.client.id === client));
  const some = fc.uniqueArray(server, { minLength: 1, maxLength: 4, selector: ({ name }) => name });
  return fc.tuple(files, fc.nat(), format, some).map(([file, pick, how, servers]) => {
    const { tables, syntax } = file.form;
    const table = (tables[pick % tables.length] ?? []).map((key) => (key === workspaceKey ? folder : key));
    const text = syntax === 'toml' ? tomlText(table, servers, how) : jsonText(table, servers, how, file);
    return {
      file,
      text: `${how.mark ? '\ufeff' : ''}${text}`,
      servers: servers.map(({ name, command, args = [] }) => ({ path: [...table, name], words: [command, ...args] })),
    };
  });
}

function jsonText(table: readonly string[], servers: readonly ServerText[], how: Format, file: ConfigFile): string {
  const { lineBreak, indent, comments, trailing } = how;
  const note = (depth: number): string =>
    comments ? (lineBreak === '' ? '/* "command": "[" */' : `// "args": [${lineBreak}${indent.repeat(depth)}`) : '';
  const block = (open: string, close: string, items: readonly string[], depth: number): string => {
    const inner = items.map((item) => `${lineBreak}${indent.repeat(depth + 1)}${note(depth + 1)}${item}`).join(',');
    return `${open}${inner}${trailing && items.length > 0 ? ',' : ''}${lineBreak}${indent.repeat(depth)}${close}`;
  };
  const list = (words: readonly string[], depth: number): string => {
    const texts = words.map((one) => JSON.stringify(one));
    if (how.spread) return block('[', ']', texts, depth);
    return `[${texts.join(', ')}${trailing && words.length > 0 ? ',' : ''}]`;
  };
  const isList = file.client.form.entry?.commands.some(({ type }) => type === 'list') === true;
  const entry = ({ command, args, env, isFirst }: ServerText, depth: number): string => {
    const own = isList
      ? [`"command": ${list([command, ...(args ?? [])], depth + 1)}`]
      : [`"command" : ${JSON.stringify(command)}`, ...(args ? [`"args": ${list(args, depth + 1)}`] : [])];
    const others = ['"type": "stdio"', ...(env === undefined ? [] : [`"env": {"KEY":${JSON.stringify(env)}}`])];
    return block('{', '}', isFirst ? [...own, ...others] : [...others, ...[...own].reverse()], depth);
  };
  const inTables = (keys: readonly string[], depth: number): string => {
    const [key, ...rest] = keys;
    const entries =
      key === undefined
        ? servers.map((one) => `${JSON.stringify(one.name)}: ${entry(one, depth + 1)}`)
        : ['"other": [{"command": "x"}]', `${JSON.stringify(key)}: ${inTables(rest, depth + 1)}`];
    return block('{', '}', entries, depth);
  };
  return `${inTables(table, 0)}${lineBreak}`;
}

function tomlText(table: readonly string[], servers: readonly ServerText[], how: Format): string {
  const lineBreak = how.lineBreak === '' ? '\n' : how.lineBreak;
  const { indent, comments, trailing } = how;
  const note = comments ? ' # [mcp_servers.x] "command" = [' : '';
  const text = (value: string): string => (how.literal && /^[^'\p{Cc}]*$/u.test(value) ? `'${value}'` : quoted(value));
  const key = (name: string): string => (/^[\w-]+$/.test(name) && !how.literal ? name : text(name));
  const list = (words: readonly string[]): string =>
    how.spread && how.toml !== 'inline'
      ? `[${note}${words.map((one, index) => `${lineBreak}  ${text(one)}${trailing || index < words.length - 1 ? ',' : ''}${note}`).join('')}${lineBreak}]`
      : `[ ${words.map(text).join(' , ')} ]`;
  const fields = ({ command, args, env, isFirst }: ServerText): readonly string[] => {
    const own = [`command = ${text(command)}`, ...(args ? [`args = ${list(args)}`] : [])];
    const others = ['enabled = true', ...(env === undefined ? [] : [`env = { KEY = ${text(env)} }`])];
    return isFirst ? [...own, ...others] : [...others, ...own.reverse()];
  };
  const prefix = table.map(key).join('.');
  const lines = ['model = "m"', '', ...servers.flatMap((one) => entryLines(one))];
  function entryLines(one: ServerText): readonly string[] {
    const name = `${prefix}.${key(one.name)}`;
    switch (how.toml) {
      case 'tables':
        return [`[${name}]${note}`, ...fields(one).map((field) => `${indent}${field}${note}`), ''];
      case 'inline':
        return [`${name} = { ${fields(one).join(', ')} }${note}`];
      case 'dotted':
        return fields(one).map((field) => `${indent}${name} . ${field}${note}`);
    }
  }
  return [...lines, '[other]', 'command = "x"', ''].join(lineBreak);
}

function quoted(value: string): string {
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
}
