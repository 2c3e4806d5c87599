import { cut } from './text';

/** How much a copy keeps. */
interface Limits {
  /** Maximum length of a string, in characters. */
  readonly string: number;
  /** Approximate maximum length of everything, in characters. */
  readonly chars: number;
  /** Maximum number of members of a list or an object. */
  readonly members: number;
  /** Deeper values are left out. */
  readonly depth: number;
  /** Whether it is a message: how many of its own members are kept in any case, because they say what it is. Other copies note what is left out. */
  readonly ofMessage?: number;
}

const message: Limits = { string: 4096, chars: 256 * 1024, members: Infinity, depth: 64, ofMessage: 64 };
const data: Limits = { string: 500, chars: 4096, members: 30, depth: 5 };

/**
 * A copy of a JSON value that is small enough to log: long strings are cut, and lists and objects end early once there is too much. Unlike with
 * `boundedJson`, the copy is still a valid message, and is read like the original.
 */
export function cutJson(value: unknown): unknown {
  return new Copy(message).of(value, 0);
}

/** Reduces a JSON value to a size that can be kept with a record, and notes what was dropped. */
export function boundedData(value: unknown): unknown {
  return new Copy(data).of(value, 0);
}

class Copy {
  private left: number;

  constructor(private readonly limits: Limits) {
    this.left = limits.chars;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.string(value, depth);
    this.left -= 8;
    if (Array.isArray(value)) return this.list(value, depth);
    return typeof value === 'object' && value !== null ? this.object(value, depth) : value;
  }

  private string(value: string, depth: number): string {
    const { string, ofMessage } = this.limits;
    const room = ofMessage !== undefined && depth < 2 ? string : Math.min(string, this.left);
    const kept = cut(value, Math.max(0, room));
    this.left -= Math.min(value.length, kept.length);
    return kept;
  }

  private list(list: readonly unknown[], depth: number): unknown {
    const { members, ofMessage, depth: maxDepth } = this.limits;
    const kept: unknown[] = [];
    if (depth >= maxDepth) return ofMessage === undefined ? `(${list.length} items)` : kept;
    for (const item of list) {
      if (this.left <= 0 || kept.length >= members) break;
      kept.push(this.of(item, depth + 1));
    }
    const left = list.length - kept.length;
    return left === 0 || ofMessage !== undefined ? kept : [...kept, `… (${left} more items)`];
  }

  private object(object: object, depth: number): unknown {
    const { members, ofMessage, depth: maxDepth } = this.limits;
    const entries = Object.entries(object) as [string, unknown][];
    if (depth >= maxDepth) return ofMessage === undefined ? `(${entries.length} fields)` : {};
    const kept: [string, unknown][] = [];
    for (const [name, value] of entries) {
      const isOwn = depth === 0 && kept.length < (ofMessage ?? 0);
      if ((this.left <= 0 && !isOwn) || kept.length >= members) break;
      kept.push([this.string(name, depth), this.of(value, depth + 1)]);
    }
    const left = entries.length - kept.length;
    if (left > 0 && ofMessage === undefined) kept.push(['…', `${left} more fields`]);
    // Not by assignment, because a member may be called __proto__.
    return Object.fromEntries(kept);
  }
}
