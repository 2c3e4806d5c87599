import type { ValueEnds } from '../ends';
import type { NameInText } from '../names';
import type { Span } from '../span';
import { isCode, isPassphrase } from '../values';
import { isLikely, quotedSecret } from './named';

/** A block scalar of YAML: `|`, `>-`, `|2`, with a comment after it or none, and its lines, which are indented alike. */
const block =
  /(?:!!\w{1,16} )?[|>][-+\d]{0,2}[ \t]{0,8}(?:#[^\r\n]{0,100})?\r?\n(?:[ \t]{0,40}\r?\n){0,4}(?<indent>[ \t]{1,40})[^\s][^\r\n]{0,500}(?:\r?\n\k<indent>[^\r\n]{1,200}){0,15}/y;

/** Nothing, and in the next line but one at the most a single word. */
const below =
  /[ \t]{0,8}\r?\n(?:[ \t]{0,40}\r?\n)?(?:[ \t]{0,8}```\w{0,12}\r?\n)?[ \t]{0,40}(?<quote>["'`]?)(?<value>[^\s"'`][^\s"'`]{5,499})\k<quote>,?[ \t]{0,8}(?=[\r\n]|$)/y;

/** The secret in the lines after a name and its colon; `undefined` if its value is in the same line. */
export function secretsBelow(ends: ValueEnds, name: NameInText, at: number): readonly Span[] | undefined {
  block.lastIndex = at;
  const lines = block.exec(ends.text)?.[0];
  if (lines !== undefined) return blockSecrets(ends, name, at, at + lines.length);
  below.lastIndex = at;
  const { quote = '', value } = below.exec(ends.text)?.groups ?? {};
  if (value === undefined) return undefined;
  const isSentence = /[:.]$|^[a-z]+:\/\//.test(value);
  if (isSentence || isCode(value) || !isLikely(name.kind, value)) return [];
  const end = ends.text.lastIndexOf(value + quote, below.lastIndex) + value.length;
  return quotedSecret(ends, name, end - value.length, end);
}

function blockSecrets(ends: ValueEnds, name: NameInText, from: number, to: number): readonly Span[] {
  const found: Span[] = [];
  // The first line is that of the name.
  for (let start = ends.line(from); start < to;) {
    while (/\s/.test(ends.text.charAt(start))) start++;
    const end = Math.min(to, ends.line(start));
    const value = ends.text.slice(start, end).trimEnd();
    if (!/\s/.test(value) || isPassphrase(value)) found.push(...quotedSecret(ends, name, start, start + value.length));
    start = end;
  }
  return found;
}
