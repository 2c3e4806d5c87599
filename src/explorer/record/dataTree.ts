import { boundedJson } from '../../text/boundedJson';
import { shownText } from '../../text/text';
import type { DataNode, DataPath } from '../page/messages';
import { maxCell } from '../page/messages';

/** Maximum number of members in one answer. */
export const pageSize = 200;
const maxKey = 200;
const maxPreview = 160;

/** A JSON value as a line of a tree. */
export function dataNode(key: string, value: unknown): DataNode {
  const shownKey = shownText(key.slice(0, maxKey)).replace(/\s+/g, ' ');
  if (typeof value === 'string') {
    const text = shownText(value.slice(0, maxCell));
    const missing = Math.max(0, value.length - maxCell);
    return { key: shownKey, type: 'string', text: `"${text}${missing > 0 ? '…' : '"'}`, size: 0, missing };
  }
  if (typeof value !== 'object' || value === null) {
    const type = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'null';
    return { key: shownKey, type, text: type === 'null' ? 'null' : JSON.stringify(value), size: 0, missing: 0 };
  }
  const type = Array.isArray(value) ? 'array' : 'object';
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  return { key: shownKey, type, text: shownText(boundedJson(value, maxPreview)), size, missing: 0 };
}

/** A page of the members of an object or a list. */
export function membersOf(value: unknown, from: number): readonly DataNode[] {
  if (Array.isArray(value)) {
    return value.slice(from, from + pageSize).map((item, index) => dataNode(String(from + index), item));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(from, from + pageSize)
    .map(([key, member]) => dataNode(key, member));
}

/** The value at a path; `undefined` if there is none. */
export function valueAt(value: unknown, path: DataPath): unknown {
  let at: unknown = value;
  for (const index of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Array.isArray(at) ? (at[index] as unknown) : Object.values(at)[index];
  }
  return at;
}
