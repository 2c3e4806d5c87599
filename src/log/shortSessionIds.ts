import { jsonText } from './jsonText';
import { shortId } from './sessionLabel';

/** A shorter id may be part of a word. */
const minLength = 12;
/** Only the newest ids are searched for, to bound the expression. */
const maxIds = 100;

/**
 * Shortens the session ids of a run to their last 8 characters wherever they are shown. They are bearer-like: whoever has one may resume the
 * session, and agents write them into messages, paths and standard error.
 */
export class ShortSessionIds {
  private readonly ids = new Set<string>();
  private expression: RegExp | undefined;

  /** Ignores anything that doesn't look like an id, such as the name used for sessions beyond the limit. */
  add(id: string): void {
    if (id.length < minLength || /\s/.test(id) || this.ids.has(id)) return;
    this.ids.add(id);
    if (this.ids.size > maxIds) for (const oldest of [...this.ids].slice(0, -maxIds)) this.ids.delete(oldest);
    this.expression = undefined;
  }

  inText(text: string): string {
    if (this.ids.size === 0) return text;
    this.expression ??= expressionOf(this.ids);
    // Testing first is several times as fast, and most texts have none.
    return this.expression.test(text)
      ? text.replace(new RegExp(this.expression, 'g'), (id) => `…${shortId(id)}`)
      : text;
  }

  /** Returns the same value if it contains no id. */
  inValue<Value>(value: Value): Value {
    if (this.ids.size === 0 || value === undefined || value === null) return value;
    const json = jsonText(value);
    const short = json === undefined ? json : this.inText(json);
    // Only ids without characters that JSON escapes are found here, so the result is still valid JSON.
    return short === undefined || short === json ? value : (JSON.parse(short) as Value);
  }
}

/** Longer ones first: a subagent's id may begin with that of its session. */
function expressionOf(ids: Iterable<string>): RegExp {
  const longestFirst = [...ids].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((id) => id.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'));
}
