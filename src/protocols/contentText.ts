import { objectOf, textOf } from './json';

/** Content in content, which nothing but malice nests deeper. */
const maxDepth = 4;

/** The text of a content block (ACP and MCP "Content"), or what kind of content it is. */
export function contentText(content: unknown, depth = 0): string {
  const block = objectOf(content);
  const type = textOf(block['type']);
  if (type === 'text') return typeof block['text'] === 'string' ? block['text'] : '';
  if (type === 'content' && depth < maxDepth) return contentText(block['content'], depth + 1);
  if (type === 'diff') return `(diff of ${textOf(block['path']) ?? 'a file'})`;
  if (type === 'terminal') return '(terminal)';
  const where = textOf(block['uri']) ?? textOf(objectOf(block['resource'])['uri']);
  return `(${type ?? 'content'}${where === undefined ? '' : ` ${where}`})`;
}
