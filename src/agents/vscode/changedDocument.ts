import type { JsonObject } from '../../text/json';
import { arrayOf, isObject } from '../../text/json';

/** Maximum number of elements of an array. */
const maxElements = 50_000;
const maxDepth = 20;

type Key = string | number;
type Node = Record<string, unknown> | unknown[];

/** A change that was applied. */
export interface Applied {
  /** Leads to what has changed; empty if everything was replaced. */
  readonly path: readonly Key[];
  /** Length of the array at the path before and after it was cut, if elements were appended. */
  readonly length?: { readonly before: number; readonly kept: number };
}

/**
 * A document that is saved as a log of its changes: `{kind: 0, v}` is everything, `{kind: 1, k, v}` sets, `{kind: 2, k, v, i}` cuts an array
 * to a length and appends, `{kind: 3, k}` deletes. `k` is the path. What a damaged log doesn't have is created.
 */
export class ChangedDocument {
  private root: Record<string, unknown> = {};

  get value(): JsonObject {
    return this.root;
  }

  /** Applies a line; `undefined` if it isn't a change, or doesn't fit. */
  apply({ kind, k, v, i }: JsonObject): Applied | undefined {
    if (kind === 0) {
      if (!isObject(v)) return undefined;
      this.root = v;
      return { path: [] };
    }
    const path = arrayOf(k);
    const last = path.at(-1);
    if (!path.every(isKey) || !isKey(last) || path.length > maxDepth) return undefined;
    const parent = this.nodeAt(path.slice(0, -1), last);
    if (!parent || !mayHave(parent, last)) return undefined;
    const at = parent as Record<Key, unknown>;
    switch (kind) {
      case 1:
        at[last] = v;
        return { path };
      case 2: {
        const array = Array.isArray(at[last]) ? at[last] : [];
        at[last] = array;
        const before = array.length;
        if (typeof i === 'number' && i >= 0 && i < before) array.length = Math.floor(i);
        const kept = array.length;
        for (const element of arrayOf(v).slice(0, maxElements - kept)) array.push(element);
        return { path, length: { before, kept } };
      }
      case 3:
        // Elements of an array keep their places.
        at[last] = undefined;
        return { path };
      default:
        return undefined;
    }
  }

  /** The object or array at a path. @param next the key below it */
  private nodeAt(path: readonly Key[], next: Key): Node | undefined {
    let node: Node = this.root;
    for (const [index, key] of path.entries()) {
      if (!mayHave(node, key)) return undefined;
      const at = node as Record<Key, unknown>;
      const below: unknown = at[key] ?? (typeof (path[index + 1] ?? next) === 'number' ? [] : {});
      if (typeof below !== 'object' || below === null) return undefined;
      at[key] = below;
      node = below as Node;
    }
    return node;
  }
}

function isKey(key: unknown): key is Key {
  // A path through a prototype would change all objects.
  return typeof key === 'string'
    ? key !== '__proto__' && key !== 'constructor' && key !== 'prototype'
    : typeof key === 'number' && Number.isSafeInteger(key) && key >= 0;
}

/** An array has no gaps but for what a damaged log has lost. */
function mayHave(node: Node, key: Key): boolean {
  return Array.isArray(node)
    ? typeof key === 'number' && key < Math.min(maxElements, node.length + 100)
    : typeof key === 'string';
}
