import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { resultOf } from '../support/cli';
import { cat, script } from '../support/platform';
import type { Scenario, Stage } from './scenario';

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

/** What a client writes that initializes the agent and leaves. */
const conversation = request(1, 'initialize', {
  protocolVersion: 1,
  clientInfo: { name: 'client', version: '1' },
  clientCapabilities: { logging: { level: 'debug' } },
});

/** The sample agent behind the tap, to its end; the folder has its journal. */
async function tapped({ cli, sampleAgent }: Stage) {
  const folder = cli.newFolder();
  const child = cli.start(cli.tapTo(folder, process.execPath, sampleAgent));
  const result = resultOf(child);
  child.stdin.write(conversation);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdin.end();
  const { stdout, code } = await result;
  return { folder, answered: stdout.includes('"protocolVersion"'), code };
}

async function journalOf(folder: string): Promise<string> {
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.ndjson'));
  if (name === undefined) throw new Error('The tap wrote no journal.');
  return join(folder, name);
}

/** Data goes through the tap though its journal can't be written. */
function withoutJournal(name: string, journal: string): Scenario {
  return {
    name,
    async play({ cli }) {
      const { stdout, stderr, code } = await cli.run(['tap', '--journal', journal, '--', ...cat], 'one\ntwo\n');
      return [`exit code ${code}`, stdout.toString().trim(), `says so: ${/journal/i.test(stderr)}`];
    },
  };
}

export const tapScenarios: readonly Scenario[] = [
  {
    name: 'the tap hands on what crosses and keeps a journal',
    async play(stage) {
      const { folder, answered, code } = await tapped(stage);
      const [journal] = await stage.cli.journals(folder);
      const events = (journal?.events ?? []).map((event) => (event.dir === 'ev' ? event.ev : event.dir));
      const order = events.filter((event) => event !== 'err');
      return [`answered: ${answered}`, `exit code ${code}`, ...new Set(order)];
    },
  },
  {
    name: 'tail reads the tap’s journal',
    async play(stage) {
      const { folder } = await tapped(stage);
      const { stdout, stderr, code } = await stage.cli.run(['tail', '--json', await journalOf(folder)]);
      const lines = stdout.toString().trim().split('\n');
      const records = lines.map((line) => JSON.parse(line) as { level: string; kind: string; logger?: string });
      const kinds = new Set(records.map(({ level, kind, logger }) => `${level} ${kind} ${logger ?? ''}`.trim()));
      return [`exit code ${code}`, stderr, ...[...kinds].sort()];
    },
  },
  {
    name: 'two taps write to one folder at once',
    async play({ cli }) {
      const folder = cli.newFolder();
      const both = [1, 2].map((id) => cli.run(cli.tapTo(folder, ...cat), `{"id":${id}}\n`));
      const codes = (await Promise.all(both)).map(({ code }) => `exit code ${code}`);
      const journals = await cli.journals(folder);
      const lines = journals.map(({ events }) => events.flatMap((event) => (event.dir === 'a2c' ? event.line : [])));
      return [...codes, ...lines.flat().sort()];
    },
  },
  {
    name: 'the tap ends with the agent’s exit code',
    async play({ cli }) {
      const codes = [];
      for (const code of [0, 3, 255]) {
        codes.push((await cli.run(cli.tapTo(cli.newFolder(), ...script(`process.exit(${code})`)))).code);
      }
      return codes.map(String);
    },
  },
  // Under Wine, Z: has the devices of Linux.
  withoutJournal('a journal on a full disk', process.platform === 'win32' ? 'Z:\\dev\\full' : '/dev/full'),
  withoutJournal(
    'a journal in a folder that can’t be written',
    process.platform === 'win32' ? 'Z:\\proc\\journals\\a.ndjson' : '/proc/journals/a.ndjson',
  ),
  withoutJournal('a journal below a file', join(existsSync(devNull) ? devNull : process.execPath, 'a.ndjson')),
];
