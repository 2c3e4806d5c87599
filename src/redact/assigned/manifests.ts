import type { ValueEnds } from '../ends';
import type { NameInText } from '../names';
import type { Span } from '../span';
import { marker, maskedEnd } from '../span';
import { isPlaceholder } from '../values';

/** How far the data of a Secret is looked for before and after its kind, in characters. */
const reach = 8192;

const data = /^(?<indent>[ \t]*)(?:data|stringData):[ \t]*\r?\n(?<lines>(?:\k<indent>[ \t]+[^\r\n]*(?:\r?\n|$))+)/gm;
const entry = /^[ \t]*(?:[\w.-]{1,253}:[ \t]+(?:[|>][-+\d]{0,2}[ \t]*$)?)?["']?(?<value>[^\r\n"']+)/gm;

/** All values of a Kubernetes Secret in YAML, whatever they are called; they stand before or after its kind. */
export function manifestSecrets(ends: ValueEnds, { name, start: at }: NameInText): readonly Span[] {
  const { text } = ends;
  if (name !== 'Secret' || !/(?:^|\n)[ \t-]*kind: ["']?$/.test(text.slice(Math.max(0, at - 64), at))) return [];
  if (at < ends.manifestEnd) return [];
  const before = text.slice(Math.max(ends.manifestEnd, at - reach), at);
  const from = at - before.length + Math.max(0, before.lastIndexOf('\n---'));
  const [after = ''] = text.slice(at, at + reach).split(/\n---/, 1);
  ends.manifestEnd = at + after.length;
  return Array.from(text.slice(from, ends.manifestEnd).matchAll(data)).flatMap(({ 0: all, index, groups }) => {
    const lines = groups?.['lines'] ?? '';
    const start = from + index + all.length - lines.length;
    return Array.from(lines.matchAll(entry)).flatMap((found) => valueOf(text, start, found));
  });
}

function valueOf(text: string, from: number, { 0: all, index, groups }: RegExpExecArray): readonly Span[] {
  const value = groups?.['value'] ?? '';
  const start = from + index + all.length - value.length;
  if (isPlaceholder(value.trim()) || /[|>][-+\d]{0,2}[ \t]*$/.test(value) || maskedEnd(text, start) > 0) return [];
  return [{ start, end: start + value.length, text: marker }];
}
