import { boundedJson } from '../text/boundedJson';
import type { JsonObject } from '../text/json';
import { arrayOf, objectOf, textOf, textsOf } from '../text/json';

/** Maximum nesting depth of content; only malicious content is nested deeper. */
const maxDepth = 4;
/** Maximum number of blocks in a list to join. */
const maxBlocks = 50;

/** Returns the text of a content block (ACP and MCP "Content"), or its kind. Also accepts strings and lists instead of a block. */
export function contentText(content: unknown, depth = 0): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content) && depth < maxDepth) return contentsText(content, depth + 1);
  const block = objectOf(content);
  const type = textOf(block['type']);
  const { text } = block;
  if (typeof text === 'string' && (type === 'text' || type === undefined)) return text;
  if (type === 'text') return text === undefined || text === null ? '' : boundedJson(text, 1000);
  if (type === 'content' && depth < maxDepth) return contentText(block['content'], depth + 1);
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

/** The texts of several blocks. */
function contentsText(blocks: readonly unknown[], depth: number): string {
  return blocks
    .slice(0, maxBlocks)
    .map((block) => contentText(block, depth))
    .join(' ');
}
