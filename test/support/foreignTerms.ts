import { readFileSync } from 'node:fs';
import type { Words } from '../../src/text/translator';

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Readonly<Record<string, string>>;
/** What a server's run doesn't have. */
const foreign = /\b(?:agents?|turns?)\b/i;
const ours = /\bagentLogs\.\w+|\bAgent Logs\b/g;

/** The texts of words, in English and in German, that speak of an agent or a turn. What a program said isn't ours. */
export function foreignTerms({ text, args = [] }: Words): readonly string[] {
  const own = [text, german[text] ?? ''].filter((one) => foreign.test(one.replace(ours, '')));
  return [...own, ...args.flatMap((arg) => (typeof arg === 'object' && 'text' in arg ? foreignTerms(arg) : []))];
}
