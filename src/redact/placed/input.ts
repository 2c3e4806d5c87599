import type { ValueEnds } from '../ends';
import type { Span } from '../span';
import { marker, maskedEnd } from '../span';
import { isNumber, isPath, isPlaceholder } from '../values';

/** How far back what is printed into a pipe is looked for, in characters. */
const maxBefore = 400;

const printed =
  /(?:^|[\s;&(`"'])(?:echo(?: -[neE]{1,3}){0,3}|printf(?: ["']?%s(?:\\n)?["']?)?)[ \t]{1,4}(?:(?<quote>["'])(?<quoted>[^"'\n]{1,160})\k<quote>|(?<bare>[^\s"'|;&<>]{1,160}))[ \t]{0,4}\|[^|\n;&]{0,80}$/d;

/** What is printed into a program that reads its password: `echo … | sudo -S true`; `at` is in what says that it does. */
export function pipedSecret({ text }: ValueEnds, at: number): Span | undefined {
  const from = Math.max(0, at - maxBefore);
  const { quoted, bare } = printed.exec(text.slice(from, at))?.indices?.groups ?? {};
  const [first, last] = quoted ?? bare ?? [0, 0];
  const all = text.slice(from + first, from + last).split(/\\[rn]/, 1)[0] ?? '';
  // `chpasswd` reads names and passwords.
  const user = text.startsWith('passwd', at) ? (/^[\w.-]{1,32}:/.exec(all)?.[0].length ?? 0) : 0;
  const value = all.slice(user);
  const start = from + first + user;
  if (value.length < 4 || isPlaceholder(value) || isPath(value) || isNumber(value)) return undefined;
  return maskedEnd(text, start) > 0 ? undefined : { start, end: start + value.length, text: marker };
}
