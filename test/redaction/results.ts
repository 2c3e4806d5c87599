import type { Case } from './cases';
import { leaks } from './leaks';
import { printTable } from '../support/printTable';
import { RecallBy } from './recall';
import type { Kind } from './secrets';
import { kinds, tokenKinds } from './secrets';

/** Redaction goals. */
const minNamed = 0.98;
const minProse = 0.95;
export const maxChanged = 0.0005;

const shapesInProse = 'vendor shapes in prose';

export interface Result extends Case {
  readonly isRedacted: boolean;
}

/**
 * Which secrets are redacted.
 * @param before the output without redaction: secrets that are cut off even there can't leak, and aren't counted
 */
export function resultsOf(
  cases: readonly Case[],
  before: readonly string[],
  after: readonly string[],
): readonly Result[] {
  const shown = leaks(cases, before);
  const leaked = leaks(cases, after);
  const results = cases.flatMap((one, index) => (shown.has(index) ? [{ ...one, isRedacted: !leaked.has(index) }] : []));
  if (results.length < cases.length * 0.99) {
    throw new Error(`Only ${results.length} of ${cases.length} secrets are shown at all: the cases are wrong.`);
  }
  return results;
}

export function printRecall(results: readonly Result[]): void {
  const named = results.filter(({ set }) => set === 'named');
  const cells = recallBy(named, ({ group, row, column }) => `${group}/${row}/${column}`);
  const forms = recallBy(named, ({ group, row, form }) => `${group}/${row}/${formOf(form)}`);
  const rows = new Map(named.map(({ group, row }) => [`${group}/${row}`, [group, row] as const]));
  console.log('Recall of named values in percent, by carrier and kind of secret\n');
  printTable([
    ['Group', 'Carrier', ...kinds, 'Plain', 'Escaped'],
    ...[...rows].map(([key, names]) => [
      ...names,
      ...kinds.map((kind) => cells.get(`${key}/${kind}`).text),
      forms.get(`${key}/plain`).text,
      forms.get(`${key}/escaped`).text,
    ]),
  ]);
  for (const [title, keyOf] of [
    ['Form', ({ form }: Result) => form.name],
    ['Channel', ({ channel }: Result) => channel.name],
  ] as const) {
    console.log('');
    printTable([
      [title, 'Recall', 'Cases'],
      ...recallBy(named, keyOf).entries.map(([key, { text, count }]) => [key, text, String(count)]),
    ]);
  }
}

/** Prints the names that are missed in contexts where others are found: as a member of an object, an argument and the like, without escapes. */
export function printNames(results: readonly Result[]): void {
  const named = results.filter(
    ({ set, form, column }) => set === 'named' && form.isPlain && tokenKinds.includes(column as Kind),
  );
  const rows = recallBy(named, ({ group, row }) => `${group}/${row}`);
  const known = named.filter(({ group, row }) => rows.get(`${group}/${row}`).share >= 0.5);
  const missed = recallBy(known, ({ name }) => name ?? '').entries.filter(([, { share }]) => share < minNamed);
  const sorted = [...missed].sort(([, a], [, b]) => a.share - b.share);
  console.log(
    `\nNames: ${sorted.map(([name, { text }]) => `${name} (${text} %)`).join(', ') || 'none'} below the goal.`,
  );
}

export function printShapes(results: readonly Result[]): void {
  const prose = results.filter(({ set }) => set === 'prose');
  console.log("\nTokens with a vendor's shape in prose, in percent, by place\n");
  printTable([
    ['Place', 'Recall', 'Cases'],
    ...recallBy(prose, ({ row }) => row).entries.map(([key, { text, count }]) => [key, text, String(count)]),
  ]);
  const rules = recallBy(prose, ({ column }) => column).entries;
  const partly = rules.filter(([, { share }]) => share > 0 && share < 1);
  console.log(
    `\nShapes: ${rules.length}. Never redacted: ${
      rules
        .filter(([, { share }]) => share === 0)
        .map(([rule]) => rule)
        .join(', ') || 'none'
    }.`,
  );
  console.log(
    `\nRedacted in some places only: ${partly.map(([rule, { text }]) => `${rule} (${text} %)`).join(', ') || 'none'}.`,
  );
}

/** The cases that must reach a goal together. */
export function goalGroup({ set, group, form }: Case): string {
  return set === 'prose' ? shapesInProse : `${group}, ${formOf(form)}`;
}

/** The share of such a group that must be redacted. */
export function goalFor(group: string): number {
  return group === shapesInProse ? minProse : minNamed;
}

export function percent(share: number, decimals = 1): string {
  return `${(share * 100).toFixed(decimals)} %`;
}

function formOf({ isPlain }: Case['form']): string {
  return isPlain ? 'plain' : 'escaped';
}

function recallBy(results: readonly Result[], keyOf: (result: Result) => string): RecallBy {
  const recalls = new RecallBy();
  for (const result of results) recalls.add(keyOf(result), result.isRedacted);
  return recalls;
}
