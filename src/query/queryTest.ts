import { levels, rankOf } from '../text/level';
import type { LogRecord } from '../text/record';
import { sessionLabel, shortId } from '../text/sessionLabel';
import type { LevelValue } from './query';
import { literal } from './literal';

/** Warnings and above, and diagnoses. */
export function isProblem({ level, kind }: Pick<LogRecord, 'level' | 'kind'>): boolean {
  return rankOf(level) >= rankOf('warning') || kind === 'diagnosis';
}

/** Whether a level matches a term's values. */
export function passesLevel(level: LogRecord['level'], values: readonly LevelValue[]): boolean {
  const rank = levels.indexOf(level);
  return values.some((value) => (value.isExact ? rank === rankOf(value.level) : rank >= rankOf(value.level)));
}

/** Whether a session, or its absence, matches a term's values. */
export function passesSession(
  session: { readonly id: string; readonly title?: string | undefined } | undefined,
  values: readonly string[],
): boolean {
  if (!session) return values.some((value) => value.toLowerCase() === 'none');
  const { id, title } = session;
  return values.some((value) => {
    const end = value.replace(/^…/, '');
    const test = globTest(value);
    return end === id || end === shortId(id) || test(sessionLabel(id, title)) || (title !== undefined && test(title));
  });
}

/** Tests whole names, ignoring case; `*` matches anything. Linear in the name, unlike a regular expression with several `.*`. */
export function globTest(pattern: string): (name: string) => boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  const start = literal(first, 'y');
  if (last === undefined) return (name) => name.length === first.length && endOf(start, name, 0) >= 0;
  const end = literal(last, 'y');
  const middle = others.map((part) => literal(part, 'g'));
  return (name) => {
    let at = endOf(start, name, 0);
    for (const part of middle) at = at < 0 ? at : endOf(part, name, at);
    return at >= 0 && name.length - last.length >= at && endOf(end, name, name.length - last.length) >= 0;
  };
}

/** Tests paths: a value is the end of one from a folder on, or all of it; `*` matches anything. */
export function fileTest(values: readonly string[]): (path: string) => boolean {
  const tests = values
    .map((value) => value.replaceAll('\\', '/'))
    .flatMap((value) => [value, `*/${value}`].map(globTest));
  return (path) => {
    const slashed = path.replaceAll('\\', '/');
    return tests.some((test) => test(slashed));
  };
}

/** The end of the first match at or after `from`, or -1. */
function endOf(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** A row must match one of the terms, or none if they are negated. */
export interface TermGroup<T> {
  readonly terms: readonly T[];
  readonly negated: boolean;
}

/** Groups terms: positive ones with the same key are alternatives, unless they are ranges. */
export function termGroups<T extends { readonly key: string; readonly negated: boolean }>(
  terms: readonly T[],
  ranges?: ReadonlySet<string>,
): readonly TermGroup<T>[] {
  const groups: TermGroup<T>[] = [];
  const byKey = new Map<string, T[]>();
  for (const term of terms) {
    if (term.negated || term.key === 'text' || term.key === 'regex' || ranges?.has(term.key) === true) {
      groups.push({ terms: [term], negated: term.negated });
      continue;
    }
    const same = byKey.get(term.key);
    if (same) same.push(term);
    else {
      const alone = [term];
      byKey.set(term.key, alone);
      groups.push({ terms: alone, negated: false });
    }
  }
  return groups;
}
