import * as assert from 'node:assert/strict';
import type { LogRecord, Run, Session } from '../../api/agent-logs';
import { takeInThemes } from './pictures';
import { agentLogs, endAll, execute, fake, inWindow, recordOf } from './support';
import { poll } from './waiting';

const child = 'Review the change';
const grandchild = 'Run the tests';

describe('In the window: subagents', () => {
  const workbench = inWindow({ Agent: fake('version2') });
  let run: Run;
  let turn: Promise<{ readonly stopReason: string }>;

  afterEach(endAll);

  /** Starts a turn whose inner subagent asks for permission, and waits for the question. */
  async function begin(): Promise<void> {
    run = await (await agentLogs()).start('Agent');
    turn = run.prompt(await run.newSession(), '/subagents ask');
    await workbench.offered('Allow once');
  }

  it("have a session below their parent's, and a question that names both", async () => {
    await begin();
    const title = await workbench.page.locator('.quick-input-title').innerText();
    assert.ok(title.includes(grandchild) && title.includes(child), title);
    await workbench.screenshot('subagents-question');
    await workbench.pickInQuestion('Allow once');
    assert.equal((await turn).stopReason, 'end_turn');
    const find = (name: string): Session => run.sessions.find(({ title: one }) => one === name)!;
    const [parent, first, second] = [find('/subagents ask'), find(child), find(grandchild)];
    assert.deepEqual([parent.parent, first.parent, second.parent], [undefined, parent.id, first.id]);
    const records = run.records({ sessionId: second.id }).map(({ logger, message }) => `${logger}: ${message}`);
    for (const part of [/^tool: npm test/m, /^permission: .*asked for/m]) assert.match(records.join('\n'), part);

    for (const label of ['/subagents ask', child]) await workbench.expandTreeRow(label);
    const rows = await workbench.treeRowsUntil((all) => all.some(({ label }) => label === grandchild));
    const levelOf = (name: string): number => rows.find(({ label }) => label === name)?.level ?? 0;
    assert.equal(levelOf(child), levelOf('/subagents ask') + 1);
    assert.equal(levelOf(grandchild), levelOf(child) + 1);
    await takeInThemes(workbench, 'subagents');
  });

  it('can be cancelled from their row while they run', async () => {
    await begin();
    await workbench.page.keyboard.press('Escape');
    await turn;
    turn = run.prompt(run.sessions[0]!.id, '/subagents ask');
    // The first question may still be closing.
    const isQuestion = ({ logger, message }: LogRecord): boolean =>
      logger === 'permission' && message.includes('asked');
    await poll(() => run.records().filter(isQuestion)).until((asked) => asked.length === 2);
    const asking = run.sessions.findLast(({ title }) => title === child)!;
    await execute('agentLogs.cancel', { runId: run.id, sessionId: asking.id });
    assert.equal((await turn).stopReason, 'end_turn');
    await recordOf(run, ({ logger, message }) => logger === 'subagent' && message.includes('cancelled'));
  });
});
