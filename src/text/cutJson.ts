import { cut } from './text';

/** Maximum length of a string, in characters. */
const maxString = 4096;
/** Approximate maximum length of everything, in characters. */
const maxChars = 256 * 1024;
/** Maximum number of members of the message itself. */
const maxMembers = 64;
/** Deeper values are left out. */
const maxDepth = 64;

/**
 * A copy of a JSON value that is small enough to log: long strings are cut, and lists and objects end early once there is too much. Unlike with
 * `boundedJson`, the copy is still a valid message, and is read like the original.
 */
export function cutJson(value: unknown): unknown {
  return new Copy().of(value, 0);
}

class Copy {
  private left = maxChars;

  of(value: unknown, depth: number): unknown {
    // The members of the message itself are always kept, because they say what it is.
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
    // Not by assignment, because a member may be called __proto__.
    return Object.fromEntries(kept);
  }
}
