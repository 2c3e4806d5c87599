import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf, textsOf } from '../../text/json';

/** Maximum nesting depth of content and lists; only malicious content is nested deeper. */
const maxDepth = 6;
/** Maximum number of blocks in a list to join. */
const maxBlocks = 50;

/** The text of a content block (ACP and MCP "Content"), or its kind. Also accepts strings and lists instead of a block. */
export function contentText(content: unknown): string {
  return textIn(content, 0, kindOf);
}

/** The text of a list of content blocks, without what isn't text; `undefined` if there is none. */
export function contentTextOf(content: unknown): string | undefined {
  if (typeof content === 'string') return textOf(content);
  return Array.isArray(content) ? textOf(textIn(content, 0, () => '').trim()) : undefined;
}

/** @param other for a block without a text */
function textIn(content: unknown, depth: number, other: (block: JsonObject) => string): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content) && depth < maxDepth) {
    const blocks = content.slice(0, maxBlocks) as unknown[];
    return blocks.map((block) => textIn(block, depth + 1, other)).join(' ');
  }
  const block = objectOf(content);
  const { type, text, content: inner } = block;
  if (typeof text === 'string') return text;
  if (type === 'text') return text === undefined || text === null ? '' : boundedJson(text, 1000);
  return inner === undefined || depth >= maxDepth ? other(block) : textIn(inner, depth + 1, other);
}

function kindOf(block: JsonObject): string {
  const type = textOf(block['type']);
  if (type === 'diff') return `(diff of ${pathsOf(block)})`;
  if (type === 'terminal') return '(terminal)';
  const where = textOf(block['uri']) ?? textOf(objectOf(block['resource'])['uri']);
  return `(${type ?? 'content'}${where === undefined ? '' : ` ${where}`})`;
}

/** The files of a diff: ACP 1 has one `path`, ACP 2 a list of `changes`. */
function pathsOf({ path, changes }: JsonObject): string {
  const paths = arrayOf(changes)
    .slice(0, maxBlocks)
    .map(objectOf)
    .map((change) => textsOf(change['oldPath'], change['path']).join(' → '));
  return textOf(path) ?? textOf(textsOf(...paths).join(', ')) ?? 'a file';
}
