import type { ValueEnds } from '../ends';
import type { NameInText } from '../names';
import type { Span } from '../span';
import { isLikely, quotedSecret } from './named';

/** What ends the selector or label of a field, and what types into it: `#password', '…'`, `"Password" }).fill("…"`. */
const field =
  /[\w-]{0,12}[\])}\s"'`]{0,6}["'`\]][\])}\s]{0,6}(?:(?<comma>,)\s{0,8}|\.(?:first\(\)\.|clear\(\)\.)?(?:fill|type|pressSequentially|send_?[kK]eys|setValue|val)\(\s{0,8})(?<quote>["'`])/y;

/** What a script of `expect` sends when it was asked. */
const sent = /[^\n"'}]{0,8}["'}](?:;|\s){1,8}send(?: --)? (?<open>["{])/y;

/** What a script sends when it was asked for it: `expect "password:"; send "…"`. */
export function sentSecret(ends: ValueEnds, name: NameInText): readonly Span[] | undefined {
  const { text } = ends;
  sent.lastIndex = name.end;
  const opening = sent.exec(text)?.groups?.['open'];
  if (opening === undefined) return undefined;
  const start = sent.lastIndex;
  const whole = text.slice(start, ends.quoted(opening === '{' ? '}' : opening, start));
  const [value = ''] = whole.split(/[\r\n]|\\[rn]/, 1);
  return value.length < 4 ? undefined : quotedSecret(ends, name, start, start + value.length);
}

const callee = /\.(?:fill|type|pressSequentially|setValue|fill_in|inputText)\(\s{0,8}["'`][^\n]{0,60}$/;

/** What a test or an agent types into a field whose name is that of a secret. */
export function typedSecret(ends: ValueEnds, name: NameInText): readonly Span[] | undefined {
  const { text } = ends;
  field.lastIndex = name.end;
  const { comma, quote } = field.exec(text)?.groups ?? {};
  if (quote === undefined) return undefined;
  if (comma !== undefined && !callee.test(text.slice(Math.max(0, name.start - 96), name.start))) return undefined;
  const from = field.lastIndex;
  const end = ends.quoted(quote, from);
  return isLikely(name.kind, text.slice(from, end)) ? quotedSecret(ends, name, from, end) : undefined;
}

const change = /["'`*)\]]{0,3}[ \t]{1,4}(?:to|zu|auf|in|à|a|→|[-=]>)[ \t]{1,4}(?<quote>["'`])?(?=\S{6})/y;

/** What a secret is changed to, after the one that it was: `password = "…" -> "…"`. */
export function changedSecret(ends: ValueEnds, name: NameInText, before: Span | undefined): readonly Span[] {
  if (before === undefined || !/^(?:password|secret|token|key)$/.test(name.kind)) return [];
  change.lastIndex = before.end;
  const found = change.exec(ends.text);
  if (found === null) return [];
  const from = change.lastIndex;
  const end = ends.opened(found.groups?.['quote'], from, 'text');
  return isLikely(name.kind, ends.text.slice(from, end)) ? quotedSecret(ends, name, from, end) : [];
}
