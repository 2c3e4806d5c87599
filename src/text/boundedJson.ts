import { wholeWordsTo } from './wholeWords';

/** Deeper objects and lists are shown as `{…}` and `[…]`. */
const maxDepth = 32;

/**
 * A value as compact JSON, cut with `…` after about `max` characters. It stops there, because values may be large, deep or (from other
 * extensions) circular.
 */
export function boundedJson(value: unknown, max = 4096): string {
  const writer = new Writer(max);
  writer.value(value, 0);
  return writer.text;
}

class Writer {
  text = '';
  private isCut = false;

  constructor(private readonly max: number) {}

  value(value: unknown, depth: number): void {
    if (typeof value === 'string') this.string(value);
    else if (Array.isArray(value)) this.list(value, depth);
    else if (typeof value === 'object' && value !== null) this.object(value, depth);
    else this.put(typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'null');
  }

  private string(value: string): void {
    const room = this.max - this.text.length;
    // Escaping only makes it longer, so the rest can't fit.
    this.put(JSON.stringify(value.length > room ? headOf(value, room) : value), value.length > room);
  }

  private list(list: readonly unknown[], depth: number): void {
    if (depth >= maxDepth) return this.put('[…]');
    this.put('[');
    for (let i = 0; i < list.length && !this.isCut; i++) {
      if (i > 0) this.put(',');
      this.value(list[i], depth + 1);
    }
    this.put(']');
  }

  private object(object: object, depth: number): void {
    if (depth >= maxDepth) return this.put('{…}');
    this.put('{');
    let first = true;
    for (const [name, value] of Object.entries(object) as [string, unknown][]) {
      if (this.isCut) break;
      if (value === undefined) continue;
      if (!first) this.put(',');
      first = false;
      this.string(name);
      this.put(':');
      this.value(value, depth + 1);
    }
    this.put('}');
  }

  private put(text: string, isLast = false): void {
    if (this.isCut) return;
    const room = this.max - this.text.length;
    if (text.length <= room && !isLast) {
      this.text += text;
      return;
    }
    this.text += `${text.length > room ? headOf(text, room) : text}…`;
    this.isCut = true;
  }
}

function headOf(text: string, max: number): string {
  return text.slice(0, wholeWordsTo(text, Math.max(0, max)));
}
