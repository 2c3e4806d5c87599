import assert from 'node:assert/strict';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { AskUser } from '../../../../src/live/mcp/elicitation';
import { Cancelled } from '../../../../src/time/waiting';
import { human, linesOf, TestRuns } from '../../../support/testRun';
import { textOf, WireNotes } from '../../../support/wireNotes';

const done = { status: 'completed', result: { content: [{ type: 'text', text: 'Built.' }] } };

describe('MCP tasks, as a client', () => {
  const runs = TestRuns.ofSuite();

  it('are polled until they end', async () => {
    const run = await runs.start('mcp-modern');
    const progress: (string | undefined)[] = [];
    const states = [{ status: 'working', statusMessage: 'Half' }, done];
    const result = await run.callTool('task', { states }, { onProgress: ({ message }) => progress.push(message) });
    assert.equal(textOf(result), 'Built.');
    assert.deepEqual(progress, ['Half']);
    assert.deepEqual(run.log.requests, []);
    assert.match(linesOf(run, 'activity').join('\n'), /task: done in [^\n]*: Built\./);
  });

  it('are refused if they fail or the server cancels them', async () => {
    const run = await runs.start('mcp-modern');
    const call = (state: object): Promise<unknown> => run.callTool('task', { states: [state] });
    await assert.rejects(call({ status: 'failed', error: { code: -32603, message: 'No disk' } }), human(/No disk/));
    const cancelled = { status: 'cancelled', statusMessage: 'Shutting down' };
    await assert.rejects(call(cancelled), human(/cancelled.*Shutting down/));
  });

  it('are cancelled with the call', async () => {
    const run = await runs.start('mcp-modern');
    const wire = new WireNotes(run);
    const source = new CancellationTokenSource();
    const call = run.callTool('task', { states: [{ status: 'working' }] }, { token: source.token });
    await wire.untilSent('tasks/get');
    source.cancel();
    await assert.rejects(call, Cancelled);
    assert.equal((await wire.untilSent('tasks/cancel')).params?.['taskId'], 'task-1');
  });

  it('get the answers of the user, each question once', async () => {
    const asked: string[] = [];
    const askUser: AskUser = ({ message }) => {
      asked.push(message);
      return Promise.resolve({ action: 'accept', content: { city: 'Ulm' } });
    };
    const run = await runs.start('mcp-modern', { mcp: { askUser } });
    const wire = new WireNotes(run);
    const params = { message: 'Where?', requestedSchema: { type: 'object', properties: {} } };
    const where = { method: 'elicitation/create', params };
    const inputRequests = { where, model: { method: 'sampling/createMessage' } };
    const asking = { status: 'input_required', inputRequests };
    assert.equal(textOf(await run.callTool('task', { states: [asking, asking, done] })), 'Built.');
    assert.deepEqual(asked, ['Where?']);
    const given = wire.sent('tasks/update').map(({ params: answers }) => answers?.['inputResponses']);
    assert.deepEqual(given, [{ where: { action: 'accept', content: { city: 'Ulm' } } }]);
  });
});
