import { cut } from './text';

/** Longer strings are cut, in characters. */
const maxString = 4096;
/** About how much is kept in all, in characters. */
const maxChars = 256 * 1024;
/** More members of the message itself are left out: those that say what it is are few. */
const maxMembers = 64;
/** Deeper values are left out. */
const maxDepth = 64;

/**
 * A copy of a JSON value that is small enough to log: long strings are cut, and once there is too much, lists and objects end early. Unlike
 * `boundedJson` it stays what it is: a message still has its form, so it reads like the one that came.
 */
export function cutJson(value: unknown): unknown {
  return new Copy().of(value, 0);
}

class Copy {
  private left = maxChars;

  of(value: unknown, depth: number): unknown {
    // The members of a message itself say what it is, at any place in it.
    if (typeof value === 'string') return this.string(value, depth < 2 ? maxString : Math.min(maxString, this.left));
    this.left -= 8;
    if (Array.isArray(value)) return this.list(value, depth);
    return typeof value === 'object' && value !== null ? this.object(value, depth) : value;
  }

  private string(value: string, room = maxString): string {
    const kept = cut(value, Math.max(0, room));
    this.left -= kept.length;
    return kept;
  }

  private list(list: readonly unknown[], depth: number): unknown[] {
    const kept: unknown[] = [];
    if (depth >= maxDepth) return kept;
    for (const item of list) {
      if (this.left <= 0) break;
      kept.push(this.of(item, depth + 1));
    }
    return kept;
  }

  private object(object: object, depth: number): object {
    const kept: [string, unknown][] = [];
    if (depth < maxDepth) {
      for (const [name, value] of Object.entries(object)) {
        if (this.left <= 0 && (depth > 0 || kept.length >= maxMembers)) break;
        kept.push([this.string(name), this.of(value, depth + 1)]);
      }
    }
    // Not an assignment: a member may be called __proto__.
    return Object.fromEntries(kept);
  }
}
