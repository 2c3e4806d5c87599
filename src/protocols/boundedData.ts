import { cut } from '../text/text';
import { isObject } from '../text/json';

/** Maximum string length, in characters. */
const maxString = 500;
/** Maximum number of members to keep of a list or an object. */
const maxMembers = 30;
const maxDepth = 5;
/** Approximate total size to keep, in characters. */
const maxChars = 4096;

/** Maximum length of a message's text, in UTF-16 units; the raw line isn't cut. */
export const maxText = 4096;

/** Cuts a long text and adds a note about it. */
export function boundedText(text: string): string {
  return cut(text.trim(), maxText);
}

/** Reduces a JSON value to a size that can be kept with a record, and notes what was dropped. */
export function boundedData(value: unknown): unknown {
  return new Copy().of(value, 0);
}

class Copy {
  private chars = 0;

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.string(value);
    this.chars += 8;
    if (Array.isArray(value)) return this.list(value, depth);
    return isObject(value) ? this.object(value, depth) : value;
  }

  private string(value: string): string {
    const room = Math.max(0, Math.min(maxString, maxChars - this.chars));
    this.chars += Math.min(value.length, room);
    return cut(value, room);
  }

  private list(list: readonly unknown[], depth: number): unknown {
    if (depth >= maxDepth) return `(${list.length} items)`;
    const kept: unknown[] = [];
    for (const item of list.slice(0, maxMembers)) {
      if (this.chars >= maxChars) break;
      kept.push(this.of(item, depth + 1));
    }
    const left = list.length - kept.length;
    return left === 0 ? kept : [...kept, `… (${left} more items)`];
  }

  private object(object: object, depth: number): unknown {
    const entries = Object.entries(object) as [string, unknown][];
    if (depth >= maxDepth) return `(${entries.length} fields)`;
    const kept: [string, unknown][] = [];
    for (const [name, value] of entries.slice(0, maxMembers)) {
      if (this.chars >= maxChars) break;
      kept.push([this.string(name), this.of(value, depth + 1)]);
    }
    const left = entries.length - kept.length;
    if (left > 0) kept.push(['…', `${left} more fields`]);
    // Not an assignment, because a field may be called __proto__.
    return Object.fromEntries(kept);
  }
}
