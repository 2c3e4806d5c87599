import type { AST } from 'toml-eslint-parser';
import { ParseError, parseTOML } from 'toml-eslint-parser';
import type { ConfigMember, ConfigNode, ConfigObject } from './configNode';
import { ConfigError } from './configNode';

/** An object that is being filled: TOML may write one in several places. */
interface GrowingObject extends ConfigObject {
  readonly members: Map<string, ConfigMember>;
}

/** Reads TOML 1.1. Of arrays of tables (`[[name]]`), only the last is kept. */
export function tomlConfig(text: string): ConfigNode {
  const root = emptyObject();
  const [top] = parsed(text.replace(/^\ufeff/, ' ')).body;
  for (const entry of top.body) {
    if (entry.type === 'TOMLKeyValue') {
      addEntry(root, entry, 'line');
      continue;
    }
    const { keys } = entry.key;
    const table = keys.reduce((object, key) => objectIn(object, key, entry.key), root);
    for (const one of entry.body) addEntry(table, one, 'line');
  }
  return root;
}

function parsed(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: '1.1' });
  } catch (error) {
    if (error instanceof ParseError) throw new ConfigError(error.lineNumber, error.message);
    throw error;
  }
}

function addEntry(object: GrowingObject, { key, value }: AST.TOMLKeyValue, style: ConfigMember['key']['style']): void {
  const last = key.keys.at(-1);
  if (!last) return;
  const parent = key.keys.slice(0, -1).reduce((inner, part) => objectIn(inner, part, key), object);
  parent.members.set(nameOf(last), {
    key: { start: key.range[0], last: last.range[0], style },
    node: nodeOf(value),
  });
}

function objectIn(object: GrowingObject, part: AST.TOMLBare | AST.TOMLQuoted, key: AST.TOMLKey): GrowingObject {
  const name = nameOf(part);
  const known = object.members.get(name)?.node;
  if (known?.type === 'object') return known as GrowingObject;
  const added = emptyObject();
  object.members.set(name, { key: { start: key.range[0], last: part.range[0], style: 'line' }, node: added });
  return added;
}

function nodeOf(node: AST.TOMLContentNode): ConfigNode {
  const [start, end] = node.range;
  switch (node.type) {
    case 'TOMLInlineTable': {
      const object = emptyObject();
      for (const entry of node.body) addEntry(object, entry, 'inline');
      return object;
    }
    case 'TOMLArray':
      return { type: 'list', start, end, items: node.elements.map(nodeOf) };
    case 'TOMLValue':
      return { type: 'value', start, end, value: node.value };
  }
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

function emptyObject(): GrowingObject {
  return { type: 'object', members: new Map() };
}
