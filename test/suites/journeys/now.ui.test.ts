import * as assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ClaudeLines } from '../../support/claudeLines';
import { agentLogs, configureAgents, fake } from '../support';
import { eventually } from '../workbench';
import { Journey, journeyTimeout, showSaved } from './journey';

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
    const mark = {
      pid: process.pid,
      sessionId: this.id,
      status: state,
      waitingFor: 'permission prompt',
      statusUpdatedAt: Date.now(),
    };
    writeFileSync(join(this.home, '.claude', 'sessions', `${this.number}.json`), JSON.stringify(mark));
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

describe('A journey: who works, and who waits', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let home: string;
  let told: string;
  let session: MadeSession;

  const configureAttention = async (name: 'after' | 'command', value: unknown): Promise<void> => {
    const settings = vscode.workspace.getConfiguration('agentLogs.attention');
    await settings.update(name, value, vscode.ConfigurationTarget.Global);
  };

  /** What the program was told, a line for each time. */
  const tellings = (): readonly string[] => {
    return existsSync(told) ? readFileSync(told, 'utf8').trimEnd().split('\n') : [];
  };

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    told = join(home, 'told.txt');
    const script = join(home, 'tell.sh');
    writeFileSync(
      script,
      `echo "$#|$1|$AGENT_LOGS_AGENT|$AGENT_LOGS_STATE|$AGENT_LOGS_TITLE|$AGENT_LOGS_FOLDER" >> '${told}'\n`,
    );
    session = new MadeSession(home, 1);
    new MadeSession(home, 3).prompt('Left behind');
    rmSync(join(home, '.claude', 'sessions', '3.json'));
    journey = await Journey.begin('9-now');
    await configureAttention('command', ['/bin/sh', script, '$HOME']);
    await configureAttention('after', 1);
    await showSaved({ claude: join(home, '.claude') });
  });

  after(async () => {
    await showSaved(undefined);
    await configureAttention('command', undefined);
    await configureAttention('after', undefined);
    await journey.end();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });

  it('shows nothing above the agents while nothing works', async () => {
    const rows = await journey.rows((all) => all.length > 0);
    assert.notEqual(rows[0]?.label, journey.t('Now'));
  });

  it('shows what a session works on', async () => {
    session.prompt(`${title} by author`);
    session.call('Bash', { command: 'npm test' });
    const rows = await journey.rows((all) => all[0]?.label === journey.t('Now') && all[1]?.level === 2);
    assert.match(rows[1]?.label ?? '', /^Sort the/);
    await journey.row(({ description }) => /Bash: npm test.* · Claude Code · shop$/.test(description));
    await journey.picture('works', 'tree');
  });

  it('counts who waits in the status bar, tells it once, and runs the program of the settings', async () => {
    const { workbench } = journey;
    session.marked('waiting');
    await journey.row(({ description }) => description.includes(journey.t('permission for {0}', 'Bash: npm test')));
    await eventually(
      () => workbench.statusBarText(status),
      (text) => text.includes(journey.t('1 session waits for you')),
    );
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith('Claude Code (') && text.includes('Bash: npm test')),
    );
    await journey.picture('waits', 'tree');
    await eventually(
      () => Promise.resolve(tellings()),
      (lines) => lines.some((line) => line.includes('|waiting|')),
    );
    assert.deepEqual(tellings(), [
      `1|$HOME|Claude Code|working|${title} by author|/home/dev/shop`,
      `1|$HOME|Claude Code|waiting|${title} by author|/home/dev/shop`,
    ]);
    session.marked('waiting');
    const second = new MadeSession(home, 2);
    second.prompt(other);
    second.call('AskUserQuestion', { questions: [{ question: 'Which name?' }] });
    await eventually(
      () => workbench.statusBarText(status),
      (text) => text.includes(journey.t('{0} sessions wait for you', 2)),
    );
    await journey.row(({ description }) => description.includes(journey.t('an answer to “{0}”', 'Which name?')));
    await workbench.notified('Which name?');
    const texts = await workbench.notifications();
    assert.equal(texts.filter((text) => text.includes('npm test')).length, 1);
    await journey.picture('both-wait', 'tree');
    second.answer();
    // Rows that change take clicks away.
    await journey.row(({ label, description }) => label === other && description.startsWith(journey.t('done')));
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('follows a session that is clicked, and drops one that was read', async () => {
    const { page, workbench } = journey;
    const sorting = await journey.row(({ level, label }) => level === 2 && label.startsWith('Sort'));
    await journey.clickRow(sorting.label);
    await page.ready();
    const before = await page.total((total) => total > 1);
    session.marked('busy');
    session.result();
    session.call('Bash', { command: 'npm run lint' });
    await page.total((total) => total > before);
    await journey.row(({ description }) => description.includes('npm run lint'));
    await journey.picture('followed');
    // What ends before the user's eyes is read.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    session.answer();
    await journey.row(({ label, description }) => /^Sort/.test(label) && description.startsWith(journey.t('done')));
    await journey.picture('done', 'tree');
    for (const label of [sorting.label, other]) {
      await journey.clickRow(label);
      await journey.rows((rows) => !rows.slice(0, 3).some((row) => row.level === 2 && row.label === label));
    }
    await journey.rows((rows) => rows[0]?.label !== journey.t('Now'));
    await eventually(
      () => workbench.statusBarItem(status).count(),
      (count) => count === 0,
    );
  });

  it('shows what an agent of this window waits for, and opens its log', async () => {
    const { page, workbench } = journey;
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const toldBefore = tellings().length;
    await configureAgents({ [agent]: fake('asksPermission', 'rm build') });
    const run = await (await agentLogs()).start(agent);
    const turn = run.prompt(await run.newSession(), 'Tidy up');
    const waits = journey.t('permission for {0}', 'Delete build/');
    const rows = await journey.rows((all) => all[1]?.description.includes(waits) === true);
    assert.equal(rows[0]?.label, journey.t('Now'));
    await eventually(
      () => workbench.statusBarItem(status).getAttribute('aria-label'),
      (label) => label?.includes(journey.t('1 session waits for you')) === true,
    );
    await eventually(
      () => workbench.notifications(),
      (texts) => texts.some((text) => text.startsWith(`${agent} (`) && text.includes('Delete build/')),
    );
    await journey.picture('live-waits', 'tree');
    await eventually(
      () => Promise.resolve(tellings().slice(toldBefore)),
      (lines) => lines.some((line) => line.includes(`|${agent}|waiting|`)),
    );
    await workbench.pickInQuestion('Reject');
    await turn;
    const done = await journey.row(
      ({ level, description }) => level === 2 && description.startsWith(`${journey.t('done')} · ${agent}`),
    );
    await journey.clickRow(done.label);
    await page.ready();
    await journey.rows((all) => all[0]?.label !== journey.t('Now'));
    const states = await eventually(
      () =>
        Promise.resolve(
          tellings()
            .slice(toldBefore)
            .filter((line) => line.includes(`|${agent}|`))
            .map((line) => line.split('|')[3]),
        ),
      (all) => all.at(-1) === 'done',
    );
    // While the program runs, only the newest state waits for it.
    assert.match(states.join(), /^(?:working,)?waiting,(?:working,)?done$/);
  });
});
