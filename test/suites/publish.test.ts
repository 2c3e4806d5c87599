import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LogRecord } from '../../src/text/record';
import type { Run } from '../../api/agent-logs';
import { agentLogs, endAll, ended } from './support';
import { eventually, poll } from './waiting';

interface OtherExtension {
  converse(): Promise<string>;
  misuse(): Promise<{ id: string; thrown: string[] }>;
}

describe('An extension that publishes its own agent', () => {
  let other: OtherExtension;

  before(async () => {
    const extension = vscode.extensions.getExtension<OtherExtension>('agent-logs-test.other');
    assert.ok(extension, 'the second extension is installed');
    other = await extension.activate();
  });

  afterEach(endAll);

  async function endedRun(id: string): Promise<Run> {
    const run = (await agentLogs()).runs.find((one) => one.id === id);
    assert.ok(run);
    await ended(run);
    return run;
  }

  it('gets the tree, the journal and the diagnosis for its lines', async () => {
    const run = await endedRun(await other.converse());
    assert.deepEqual([run.name, run.protocol, run.sessions.length], ['Published', 'acp', 1]);
    const [log] = run.records({ kinds: ['log'] });
    assert.equal(log?.level, 'warning');
    assert.ok(!log.message.includes('abcdefghijklmnopqrstuvwxyz'), 'without its secret');
    assert.equal(run.termination?.exitCode, 9);
    assert.equal(run.termination.stderr?.head, 'Error: out of luck');
    const journal = await eventually(() => run.journal);
    assert.ok(run.spans({ kinds: ['request'] }).some(({ title }) => title === 'initialize'));
    const past = await (await agentLogs()).open(journal);
    assert.equal(past.id, run.id, 'it is the same run, not a second one');
    await assert.rejects(run.newSession(), /isn't running|sessions/);
  });

  it('gets no requests from us, and may change the objects it receives', async () => {
    const publisher = (await agentLogs()).publish({ name: 'Theirs', protocol: 'mcp' });
    const { run } = publisher;
    await poll(() => run.state).until((state) => state === 'running');
    await assert.rejects(run.callTool('x', {}), /run by another extension/);
    const told = new Promise<number>((resolve) => {
      run.onDidAppend((records) => resolve((records as LogRecord[]).splice(0).length));
      run.onDidAppend((records) => records.forEach((record) => Object.assign(record, { message: 'changed' })));
    });
    publisher.line('err', 'a line');
    assert.ok((await told) > 0);
    publisher.end();
    await ended(run);
    assert.ok(!run.records().some(({ message }) => message === 'changed'));
    Object.assign(run.termination!, { message: 'changed' });
    assert.notEqual(run.termination?.message, 'changed');
  });

  it('gets errors if it misuses the API', async () => {
    const { id, thrown } = await other.misuse();
    assert.deepEqual(thrown, ['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError']);
    const run = await endedRun(id);
    assert.equal(run.termination?.reason, 'completed');
    const skipped = run.records({ kinds: ['lifecycle'], minLevel: 'warning' }).map(({ message }) => message);
    assert.match(skipped.join(), /bytes/, 'says what was left out');
    assert.ok(!run.records().some(({ message }) => message.includes('after the end')));
  });
});
