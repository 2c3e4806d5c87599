import * as assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeLines } from '../../support/claudeLines';
import {
  agentLogs,
  configureAgents,
  configureUser,
  execute,
  fake,
  showSavedSessions,
  temporaryFolder,
} from '../support';
import { eventually, poll } from '../waiting';
import { Journey } from './journey';

const status = 'agentLogs.status';
const title = 'Sort the books';
const other = 'Rename the shop';
const agent = 'Tidier';

/** A session of Claude Code that this process seems to run. */
class MadeSession {
  private readonly lines: ClaudeLines;
  private readonly file: string;
  private lineCount = 0;
  private called = '';

  constructor(
    private readonly home: string,
    private readonly number: number,
  ) {
    this.lines = new ClaudeLines(this.id);
    const project = join(home, '.claude', 'projects', '-home-dev-shop');
    mkdirSync(project, { recursive: true });
    mkdirSync(join(home, '.claude', 'sessions'), { recursive: true });
    this.file = join(project, `${this.id}.jsonl`);
  }

  private get id(): string {
    return `0c5f0f0e-0000-4000-8000-00000000000${this.number}`;
  }

  prompt(text: string): void {
    this.marked('busy');
    this.write(this.lines.prompt(this.next, text, this.now));
  }

  /** Calls a tool, or asks. */
  call(name: string, input: object): void {
    this.called = `t${this.lineCount}`;
    const content = [{ type: 'tool_use', id: this.called, name, input }];
    this.write(
      this.lines.line('assistant', this.next, { message: { role: 'assistant', id: 'm1', content }, ...this.now }),
    );
  }

  /** The result of the last call. */
  result(): void {
    const content = [{ type: 'tool_result', tool_use_id: this.called, content: 'Done.' }];
    this.write(this.lines.prompt(this.next, content, this.now));
  }

  answer(): void {
    this.write(this.lines.answer(this.next, 'm2', [1, 1], this.now));
    this.marked('idle');
  }

  marked(state: 'busy' | 'waiting' | 'idle'): void {
    const about = { pid: process.pid, sessionId: this.id, waitingFor: 'permission prompt' };
    const mark = JSON.stringify({ ...about, status: state, statusUpdatedAt: Date.now() });
    writeFileSync(join(this.home, '.claude', 'sessions', `${this.number}.json`), mark);
  }

  private get next(): string {
    return `u${this.number}-${++this.lineCount}`;
  }

  private get now(): object {
    return { timestamp: new Date().toISOString() };
  }

  private write(line: object): void {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}

describe('A journey: who works, and who waits', () => {
  const journey = Journey.ofSuite('9-now');
  const { page, workbench } = journey;
  const home = temporaryFolder();
  const told = join(home, 'told.txt');
  const session = new MadeSession(home, 1);

  /** What the program was told, a line for each time. */
  const tellings = (): readonly string[] => (existsSync(told) ? readFileSync(told, 'utf8').trimEnd().split('\n') : []);

  before(async () => {
    const script = join(home, 'tell.sh');
    const words = ['$#', '$1', ...['AGENT', 'STATE', 'TITLE', 'FOLDER'].map((name) => `$AGENT_LOGS_${name}`)];
    writeFileSync(script, `echo "${words.join('|')}" >> '${told}'\n`);
    new MadeSession(home, 3).prompt('Left behind');
    rmSync(join(home, '.claude', 'sessions', '3.json'));
    await configureUser('attention.command', ['/bin/sh', script, '$HOME']);
    await configureUser('attention.after', 1);
    await showSavedSessions({ claude: join(home, '.claude') });
  });

  after(async () => {
    await configureUser('attention.command', undefined);
    await configureUser('attention.after', undefined);
  });

  it('shows nothing above the agents while nothing works', async () => {
    const rows = await workbench.treeRowsUntil((all) => all.length > 0);
    assert.notEqual(rows[0]?.label, journey.t('Now'));
  });

  it('shows what a session works on', async () => {
    session.prompt(`${title} by author`);
    session.call('Bash', { command: 'npm test' });
    const rows = await workbench.treeRowsUntil((all) => all[0]?.label === journey.t('Now') && all[1]?.level === 2);
    assert.match(rows[1]?.label ?? '', /^Sort the/);
    await workbench.row(({ description }) => /Bash: npm test.* · Claude Code · shop$/.test(description));
    await journey.picture('works', 'tree');
  });

  it('counts who waits in the status bar, tells it once, and runs the program of the settings', async () => {
    session.marked('waiting');
    await workbench.row(({ description }) => description.includes(journey.t('permission for {0}', 'Bash: npm test')));
    await poll(() => workbench.statusBarText(status)).until((text) =>
      text.includes(journey.t('1 session waits for you')),
    );
    await poll(() => workbench.notifications()).until((texts) =>
      texts.some((text) => text.startsWith('Claude Code (') && text.includes('Bash: npm test')),
    );
    await journey.picture('waits', 'tree');
    await eventually(() => tellings().some((line) => line.includes('|waiting|')));
    assert.deepEqual(tellings(), [
      `1|$HOME|Claude Code|working|${title} by author|/home/dev/shop`,
      `1|$HOME|Claude Code|waiting|${title} by author|/home/dev/shop`,
    ]);
    session.marked('waiting');
    const second = new MadeSession(home, 2);
    second.prompt(other);
    second.call('AskUserQuestion', { questions: [{ question: 'Which name?' }] });
    await poll(() => workbench.statusBarText(status)).until((text) =>
      text.includes(journey.t('{0} sessions wait for you', 2)),
    );
    await workbench.row(({ description }) => description.includes(journey.t('an answer to “{0}”', 'Which name?')));
    const texts = await workbench.notified('Which name?');
    assert.equal(texts.filter((text) => text.includes('npm test')).length, 1);
    await journey.picture('both-wait', 'tree');
    second.answer();
    // Rows that change take clicks away.
    await workbench.row(({ label, description }) => label === other && description.startsWith(journey.t('done')));
    await execute('notifications.clearAll');
  });

  it('follows a session that is clicked, and drops one that was read', async () => {
    const sorting = await workbench.row(({ level, label }) => level === 2 && label.startsWith('Sort'));
    await workbench.clickTreeRow(sorting.label);
    await page.ready();
    const before = await page.total((total) => total > 1);
    session.marked('busy');
    session.result();
    session.call('Bash', { command: 'npm run lint' });
    await page.total((total) => total > before);
    await workbench.row(({ description }) => description.includes('npm run lint'));
    await journey.picture('followed');
    // What ends before the user's eyes is read.
    await execute('workbench.action.closeAllEditors');
    session.answer();
    await workbench.row(({ label, description }) => /^Sort/.test(label) && description.startsWith(journey.t('done')));
    await journey.picture('done', 'tree');
    for (const label of [sorting.label, other]) {
      await workbench.clickTreeRow(label);
      await workbench.treeRowsUntil((rows) => !rows.slice(0, 3).some((row) => row.level === 2 && row.label === label));
    }
    await workbench.treeRowsUntil((rows) => rows[0]?.label !== journey.t('Now'));
    await poll(() => workbench.statusBarItem(status).count()).until((count) => count === 0);
  });

  it('shows what an agent of this window waits for, and opens its log', async () => {
    await execute('notifications.clearAll');
    await execute('workbench.action.closeAllEditors');
    await configureAgents({ [agent]: fake('asksPermission', 'rm build') });
    const run = await (await agentLogs()).start(agent);
    const turn = run.prompt(await run.newSession(), 'Tidy up');
    const waits = journey.t('permission for {0}', 'Delete build/');
    const rows = await workbench.treeRowsUntil((all) => all[1]?.description.includes(waits) === true);
    assert.equal(rows[0]?.label, journey.t('Now'));
    await poll(() => workbench.statusBarItem(status).getAttribute('aria-label')).until(
      (label) => label?.includes(journey.t('1 session waits for you')) === true,
    );
    await poll(() => workbench.notifications()).until((texts) =>
      texts.some((text) => text.startsWith(`${agent} (`) && text.includes('Delete build/')),
    );
    await journey.picture('live-waits', 'tree');
    await eventually(() => tellings().some((line) => line.includes(`|${agent}|waiting|`)));
    await workbench.pickInQuestion('Reject');
    await turn;
    const done = await workbench.row(
      ({ level, description }) => level === 2 && description.startsWith(`${journey.t('done')} · ${agent}`),
    );
    await workbench.clickTreeRow(done.label);
    await page.ready();
    await workbench.treeRowsUntil((all) => all[0]?.label !== journey.t('Now'));
    const ofAgent = (): string[] => tellings().filter((line) => line.includes(`|${agent}|`));
    const lines = await poll(ofAgent).until((all) => all.at(-1)?.includes('|done|') === true);
    const states = lines.map((line) => line.split('|')[3]);
    // While the program runs, only the newest state waits for it.
    assert.match(states.join(), /^(?:working,)?waiting,(?:working,)?done$/);
  });
});
