import { boundedJson } from '../log/boundedJson';
import { objectOf, textOf } from './json';

/** Content in content, which nothing but malice nests deeper. */
const maxDepth = 4;
/** So many blocks are joined where one is wanted. */
const maxBlocks = 50;

/** The text of a content block (ACP and MCP "Content"), or what kind of content it is; of what should be a block and is a text or a list, too. */
export function contentText(content: unknown, depth = 0): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content) && depth < maxDepth) return contentsText(content, depth + 1);
  const block = objectOf(content);
  const type = textOf(block['type']);
  const { text } = block;
  if (typeof text === 'string' && (type === 'text' || type === undefined)) return text;
  if (type === 'text') return text === undefined || text === null ? '' : boundedJson(text, 1000);
  if (type === 'content' && depth < maxDepth) return contentText(block['content'], depth + 1);
  if (type === 'diff') return `(diff of ${textOf(block['path']) ?? 'a file'})`;
  if (type === 'terminal') return '(terminal)';
  const where = textOf(block['uri']) ?? textOf(objectOf(block['resource'])['uri']);
  return `(${type ?? 'content'}${where === undefined ? '' : ` ${where}`})`;
}

/** The texts of several blocks. */
function contentsText(blocks: readonly unknown[], depth: number): string {
  return blocks
    .slice(0, maxBlocks)
    .map((block) => contentText(block, depth))
    .join(' ');
}
