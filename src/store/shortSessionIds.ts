import { jsonText, stringEnd } from '../text/jsonText';
import { isCut, markedId, shortenId } from '../text/sessionLabel';
import { patternOf } from '../text/text';

/** Only the newest ids are searched for, to bound the expression. */
const maxIds = 100;

/**
 * Shortens the session ids of a run to their last 8 characters wherever they are shown. They are bearer-like: anyone who has one may resume the
 * session, and agents write them into messages, paths and standard error.
 */
export class ShortSessionIds {
  private readonly ids = new Set<string>();
  private expression: RegExp | undefined;

  /** Ignores anything that doesn't look like an id, such as the name used for sessions beyond the limit. */
  add(id: string): void {
    if (!isId(id) || this.ids.has(id)) return;
    this.ids.add(id);
    if (this.ids.size > maxIds) for (const oldest of [...this.ids].slice(0, -maxIds)) this.ids.delete(oldest);
    this.expression = undefined;
  }

  /** @param own the session that the text belongs to, which needn't be among the newest */
  inText(text: string, own?: string): string {
    if (this.ids.size === 0) return text;
    const rest = own === undefined || this.ids.has(own) || !isId(own) ? text : shortenId(text, own);
    this.expression ??= expressionOf(this.ids);
    // Testing first is several times as fast, and most texts have none.
    return this.expression.test(rest) ? rest.replace(new RegExp(this.expression, 'g'), (id) => markedId(id)) : rest;
  }

  /**
   * Valid JSON stays valid: ids are only shortened in its strings, because they may also look like numbers or punctuation. An id with
   * characters that JSON escapes may be missed.
   */
  inJson(json: string, own?: string): string {
    if (this.inText(json, own) === json) return json;
    const parts: string[] = [];
    let end = 0;
    for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', end)) {
      parts.push(json.slice(end, start));
      end = stringEnd(json, start + 1) + 1;
      const string = json.slice(start, end);
      parts.push(JSON.stringify(this.inText(JSON.parse(string) as string, own)));
    }
    return parts.join('') + json.slice(end);
  }

  /** Returns the same value if it contains no id. */
  inValue<Value>(value: Value, own?: string): Value {
    if (this.ids.size === 0 || value === undefined || value === null) return value;
    const json = jsonText(value);
    const short = json === undefined ? json : this.inJson(json, own);
    return short === undefined || short === json ? value : (JSON.parse(short) as Value);
  }
}

function isId(text: string): boolean {
  return isCut(text) && !/\s/.test(text);
}

/** The form of OpenCode's ids; those of subagents are named in the results of tools before their sessions are known. */
const ofOpencode = String.raw`\bses_[0-9a-f]{12}[0-9A-Za-z]{14}\b`;

/** Longer ones first: a subagent's id may begin with that of its session. */
function expressionOf(ids: Iterable<string>): RegExp {
  const longestFirst = [...ids].sort((a, b) => b.length - a.length);
  const known = longestFirst.map(patternOf);
  const isOfOpencode = new RegExp(`^${ofOpencode}$`);
  const others = longestFirst.some((id) => isOfOpencode.test(id)) ? [ofOpencode] : [];
  return new RegExp([...known, ...others].join('|'));
}
