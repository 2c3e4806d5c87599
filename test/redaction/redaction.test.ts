// Measures redaction end to end: secrets that `agent-logs tail --json` still prints, and ordinary lines that it changes: `npm run test:redaction`. Both
// are listed in out/redaction.txt. `AGENT_LOGS_SEED=7` generates other secrets.
import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sharedPage } from '../../scripts/explorerPage.mjs';
import { useCli } from '../support/cli';
import { printTable } from '../support/printTable';
import { sharedData } from '../support/sharedData';
import { casesOf, linesOf } from './cases';
import type { FileKind, Line } from './channels';
import { fileOf } from './channels';
import type { Change } from './falsePositives';
import { changes, send } from './falsePositives';
import { corporaOf } from './ordinary';
import { leaks } from './leaks';
import { Random } from './random';
import type { Result } from './results';
import { goalFor, goalGroup, maxChanged, percent, printNames, printRecall, printShapes, resultsOf } from './results';
import { tailedHere } from './tailed';

const seed = Number(process.env['AGENT_LOGS_SEED'] ?? 20_261_120);
/** Of the secrets that are redacted in records. */
const minInFile = 0.998;
const amounts = { named: 3, vendorKeys: 16, prose: 30 };
const list = resolve('out/redaction.txt');

describe(`redaction with seed ${seed}`, function () {
  this.timeout(300_000);
  const cli = useCli();
  const measured: string[][] = [];

  before(() => {
    rmSync(list, { force: true });
    mkdirSync(resolve('out'), { recursive: true });
  });
  after(() => {
    console.log('');
    printTable([['What', 'Measured', 'Goal', 'Cases'], ...measured]);
    console.log(`\nThe missed secrets and the changed lines are in ${list}.`);
  });

  /** What is printed for a file: without redaction, and by the command line tool. */
  async function tailed(
    kind: FileKind,
    lines: readonly Line[],
  ): Promise<{ before: readonly string[]; after: readonly string[] }> {
    const text = fileOf(kind, lines);
    const path = join(cli.folder, `${kind}.ndjson`);
    writeFileSync(path, text);
    const { code, stdout, stderr } = await cli.run(['tail', '--json', '--level', 'debug', path]);
    assert.equal(code, 0, stderr);
    return {
      before: tailedHere(text),
      after: stdout
        .toString()
        .split('\n')
        .filter((line) => line !== ''),
    };
  }

  /** All data of the HTML file that the whole recording makes. */
  async function shared(kind: FileKind): Promise<string> {
    const path = join(cli.folder, `${kind}.ndjson`);
    const { code, stdout, stderr } = await cli.run(['share', '--preset', 'full', path]);
    assert.equal(code, 0, stderr);
    const parts = sharedData(stdout.toString());
    assert.ok(parts.length > 1);
    return parts.join('\n');
  }

  describe('secrets', () => {
    const cases = casesOf(new Random(seed), amounts);
    let results: readonly Result[] = [];
    let printed: ReadonlySet<number> = new Set();
    let leaked: ReadonlySet<number> = new Set();

    before(async () => {
      await build(sharedPage(true, cli.folder));
      const all = { before: [] as string[], after: [] as string[] };
      const inFiles: string[] = [];
      for (const [kind, lines] of linesOf(cases)) {
        const output = await tailed(kind, lines);
        all.before.push(...output.before);
        all.after.push(...output.after);
        inFiles.push(await shared(kind));
      }
      // A line that is no longer JSON has no secrets either.
      assert.equal(all.after.length, all.before.length, 'redaction keeps all records');
      results = resultsOf(cases, all.before, all.after);
      [printed, leaked] = [leaks(cases, all.after), leaks(cases, inFiles)];
      results.filter(({ isRedacted }) => !isRedacted).forEach(listMissed);
    });
    after(() => {
      printRecall(results);
      printNames(results);
      printShapes(results);
    });

    for (const group of new Set(cases.map(goalGroup))) {
      const goal = goalFor(group);
      it(`at least ${percent(goal)} are redacted: ${group}`, () => {
        const own = results.filter((result) => goalGroup(result) === group);
        const share = own.filter(({ isRedacted }) => isRedacted).length / own.length;
        measured.push([group, percent(share), `≥ ${percent(goal)}`, String(own.length)]);
        assert.ok(share >= goal, `${percent(share)} are redacted`);
      });
    }

    // A shared file also has the raw lines, whose escapes may hide a shape.
    it(`at least ${percent(minInFile, 1)} of those are in no shared file that tail doesn’t print`, () => {
      const more = cases.filter((_, index) => leaked.has(index) && !printed.has(index));
      for (const { text, secret } of more) {
        appendFileSync(list, `IN FILE ${JSON.stringify(secret)} in ${JSON.stringify(text)}\n`);
      }
      const share = 1 - more.length / (cases.length - printed.size);
      measured.push(['not in a shared file', percent(share, 2), `≥ ${percent(minInFile, 1)}`, String(cases.length)]);
      assert.ok(share >= minInFile, percent(share, 2));
    });
  });

  describe('ordinary lines', () => {
    const random = new Random(seed);
    const corpora = corporaOf(join(__dirname, '../..'), random);
    const { sent, files } = send(corpora, random);

    it(`at most ${percent(maxChanged, 2)} are changed`, async () => {
      const found: Change[] = [];
      for (const [kind, lines] of files) {
        const { before, after } = await tailed(kind, lines);
        const ofFile = sent.filter(({ file }) => file === kind);
        found.push(...changes(ofFile, before, after));
      }
      found.forEach(listChanged);
      console.log('\nOrdinary lines, by where they come from\n');
      printTable([
        ['From', 'Lines', 'Changed'],
        ...corpora.map(({ name, lines }) => {
          const changed = found.filter(({ corpus }) => corpus === name).length;
          return [name, String(lines.length), String(changed)];
        }),
      ]);
      const share = found.length / sent.length;
      measured.push(['ordinary lines changed', percent(share, 3), `≤ ${percent(maxChanged, 2)}`, String(sent.length)]);
      assert.ok(share <= maxChanged, `${percent(share, 3)} are changed`);
    });
  });
});

function listMissed({ group, row, column, form, channel, text, secret }: Result): void {
  const name = `${group} / ${row} / ${column} / ${form.name} / ${channel.name}`;
  appendFileSync(list, `MISSED ${name}: ${JSON.stringify(secret)} in ${JSON.stringify(text)}\n`);
}

function listChanged({ corpus, before, after }: Change): void {
  appendFileSync(list, `CHANGED ${corpus}: ${JSON.stringify(before)} to ${JSON.stringify(after)}\n`);
}
