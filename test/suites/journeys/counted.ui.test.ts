import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaudeLines } from '../../support/claudeLines';
import { Journey, journeyTimeout, showSaved } from './journey';

/** What is unusual about a session leaves less room for its title. */
const [killed, fork] = ['Run the slow tes…', 'Sell records ins…'];

const idOf = (n: number): string => `0c5f0f0e-0000-4000-8000-00000000000${n}`;

/** Sessions as people have them: continued in two terminals at once, killed in a tool, forked. */
function sessions(): readonly (readonly object[])[] {
  const day = new Date().toISOString().slice(0, 10);
  const [plain, forked, cut, two] = [0, 1, 2, 3].map((n) => new ClaudeLines(idOf(n), day)) as [
    ClaudeLines,
    ClaudeLines,
    ClaudeLines,
    ClaudeLines,
  ];
  const copied = { forkedFrom: { sessionId: idOf(0) } };
  return [
    [plain.prompt('u1', 'Plan the bookshop'), plain.answer('u2', 'm1', [12_000, 300]), plain.end('u3')],
    [
      forked.prompt('u1', 'Plan the bookshop', copied),
      forked.answer('u2', 'm1', [12_000, 300], copied),
      forked.prompt('u4', 'Sell records instead of books'),
      forked.answer('u5', 'm2', [13_000, 200]),
      forked.end('u6'),
    ],
    [cut.prompt('u1', 'Run the slow tests'), cut.call('u2', 'm3', [9_000, 80])],
    [
      two.prompt('u1', 'Add a discount'),
      two.answer('u2', 'm4', [9_000, 80]),
      two.end('u3'),
      two.prompt('u4', 'Round it up'),
      two.call('u5', 'm5', [9_100, 90]),
      two.after('u3').prompt('u6', 'Write the test for it'),
      two.after('u5').result('u7', 'm5'),
      two.after('u6').answer('u8', 'm6', [9_200, 70]),
      two.after('u7').answer('u9', 'm7', [9_300, 60]),
    ],
  ];
}

describe('A journey: sessions that were forked, killed, or continued twice', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let home: string;

  before(async () => {
    journey = await Journey.begin('11-counted');
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    const folder = join(home, '.claude/projects/-home-dev-shop');
    mkdirSync(folder, { recursive: true });
    for (const [n, lines] of sessions().entries()) {
      const path = join(folder, `${idOf(n)}.jsonl`);
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const at = new Date(Date.now() - (4 - n) * 60_000);
      utimesSync(path, at, at);
    }
    await showSaved({ claude: join(home, '.claude') });
  });

  after(async () => {
    await journey.end();
    await showSaved(undefined);
    rmSync(home, { recursive: true, force: true });
  });

  it('says so in their rows', async () => {
    const { workbench } = journey;
    const group = journey.t('On This Machine');
    await journey.row(({ label }) => label === group);
    await workbench.expandTreeRow(journey.view, group);
    await journey.row(({ label }) => label === 'Claude Code');
    await workbench.expandTreeRow(journey.view, 'Claude Code');
    const rows = await journey.rows((all) => all.some(({ label }) => label === 'Plan the bookshop'));
    const listed = rows.filter(({ level }) => level === 3);
    assert.deepEqual(
      listed.map(({ label, description }) => `${label} ${description.split(' · ')[0]}`),
      [
        'Add a discount shop',
        `${killed} ${journey.t('open')}`,
        `${fork} ${journey.t('fork')}`,
        'Plan the bookshop shop',
      ],
    );
    await journey.picture('list', 'tree');
  });

  it('shows the second terminal below its session', async () => {
    await journey.clickRow('Add a discount');
    await journey.page.ready();
    await journey.row(({ label, level }) => label === 'Write the test for it' && level === 4);
    await journey.picture('two-terminals', 'tree');
    await journey.clickRow(killed);
    await journey.page.ready();
    await journey.clickRow(fork);
    await journey.page.ready();
    await journey.picture('opened', 'tree');
  });
});
