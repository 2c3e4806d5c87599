import type { Node, ParseError } from 'jsonc-parser';
import { parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ConfigMember, ConfigNode } from './configNode';
import { ConfigError } from './configNode';

/** Reads JSON, with comments and trailing commas: most clients accept them. */
export function jsonConfig(text: string): ConfigNode {
  const errors: ParseError[] = [];
  // A byte order mark keeps its place.
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) throw new ConfigError(lineAt(text, error.offset), printParseErrorCode(error.error));
  return root ? nodeOf(root) : { type: 'object', members: new Map() };
}

function nodeOf(node: Node): ConfigNode {
  const { type, offset, length, children = [] } = node;
  switch (type) {
    case 'object':
      return { type: 'object', members: new Map(children.flatMap(memberOf)) };
    case 'array':
      return { type: 'list', start: offset, end: offset + length, items: children.map(nodeOf) };
    default:
      return { type: 'value', start: offset, end: offset + length, value: node.value as unknown };
  }
}

/** The last one counts if a key is repeated, as in `JSON.parse`. */
function memberOf({ children = [] }: Node): readonly (readonly [string, ConfigMember])[] {
  const [key, value] = children;
  if (!key || !value) return [];
  const { offset } = key;
  return [[String(key.value), { key: { start: offset, last: offset, style: 'json' }, node: nodeOf(value) }]];
}

/** From 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}
