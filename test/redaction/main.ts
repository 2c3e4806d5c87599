// Measures redaction end to end: secrets that `agent-logs tail --json` still prints, and ordinary lines that it changes. `--verbose` lists both;
// followed by a text, it only lists carriers, kinds, places or rules with that text in their name.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from '../support/cli';
import { casesOf, linesOf } from './cases';
import type { FileKind, Line } from './channels';
import { fileOf } from './channels';
import type { Change } from './falsePositives';
import { changes, send } from './falsePositives';
import { corporaOf } from './ordinary';
import { Random } from './random';
import type { Result } from './results';
import { printGoals, printNames, printRecall, printShapes, resultsOf } from './results';
import { printTable } from './table';
import { tailedHere } from './tailed';

const seed = Number(process.env['AGENT_LOGS_SEED'] ?? 20_261_120);
const amounts = { named: 3, vendorKeys: 16, prose: 30 };
const [option, filter = ''] = process.argv.slice(2);
const isVerbose = option === '--verbose';

void main();

async function main(): Promise<void> {
  const cli = new CliHarness();
  await cli.build();
  try {
    const results = await recallOf(cli);
    const { ordinary, changed } = await falsePositives(cli);
    printRecall(results);
    printNames(results);
    printShapes(results);
    if (!printGoals(results, changed, ordinary)) process.exitCode = 1;
    console.log(`\nSeed ${seed}. List the cases with: npm run test:redaction -- --verbose [NAME]`);
  } finally {
    await cli.remove();
  }
}

async function recallOf(cli: CliHarness): Promise<readonly Result[]> {
  const cases = casesOf(new Random(seed), amounts);
  const before: string[] = [];
  const after: string[] = [];
  for (const [kind, lines] of linesOf(cases)) {
    const printed = await tailed(cli, kind, lines);
    before.push(...printed.before);
    after.push(...printed.after);
  }
  // A line that is no longer JSON has no secrets either.
  if (before.length !== after.length) {
    throw new Error(`${before.length} records are printed without redaction, ${after.length} with it.`);
  }
  const results = resultsOf(cases, before, after);
  if (isVerbose) results.filter(({ isRedacted }) => !isRedacted).forEach(printMissed);
  return results;
}

function printMissed({ group, row, column, form, channel, text, secret }: Result): void {
  const name = `${group} / ${row} / ${column} / ${form.name} / ${channel.name}`;
  if (name.includes(filter)) console.log(`MISSED ${name}: ${JSON.stringify(secret)} in ${JSON.stringify(text)}`);
}

async function falsePositives(cli: CliHarness): Promise<{ ordinary: number; changed: number }> {
  const random = new Random(seed);
  const corpora = corporaOf(join(__dirname, '../..'), random);
  const { sent, files } = send(corpora, random);
  const found: Change[] = [];
  for (const [kind, lines] of files) {
    const { before, after } = await tailed(cli, kind, lines);
    const ofFile = sent.filter(({ file }) => file === kind);
    found.push(...changes(ofFile, before, after));
  }
  if (isVerbose) found.filter(({ corpus }) => corpus.includes(filter)).forEach(printChanged);
  console.log('Ordinary lines, by where they come from\n');
  printTable([
    ['From', 'Lines', 'Changed'],
    ...corpora.map(({ name, lines }) => {
      const changed = found.filter(({ corpus }) => corpus === name).length;
      return [name, String(lines.length), String(changed)];
    }),
  ]);
  console.log('');
  return { ordinary: sent.length, changed: found.length };
}

function printChanged({ corpus, before, after }: Change): void {
  console.log(`CHANGED ${corpus}: ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
}

/** What is printed for a file: without redaction, and by the command line tool. */
async function tailed(
  cli: CliHarness,
  kind: FileKind,
  lines: readonly Line[],
): Promise<{ before: readonly string[]; after: readonly string[] }> {
  const text = fileOf(kind, lines);
  const path = join(cli.folder, `${kind}.ndjson`);
  writeFileSync(path, text);
  const { code, stdout, stderr } = await cli.run(['tail', '--json', '--level', 'debug', path]);
  if (code !== 0) throw new Error(`agent-logs tail: exit ${code}: ${stderr}`);
  return {
    before: tailedHere(text),
    after: stdout
      .toString()
      .split('\n')
      .filter((line) => line !== ''),
  };
}
