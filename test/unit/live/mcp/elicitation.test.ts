import * as assert from 'node:assert/strict';
import type { AskUser } from '../../../../src/live/mcp/elicitation';
import { defaultsIn } from '../../../../src/live/mcp/elicitation';
import { start, TestRuns } from '../../../support/testRun';
import { textOf, WireNotes } from '../../../support/wireNotes';

describe('MCP elicitation', () => {
  const runs = TestRuns.ofSuite();

  it('is answered by a user who can be asked', async () => {
    const asked: string[] = [];
    const askUser: AskUser = (question, page) => {
      asked.push(question.message, ...(page ? [page.host] : []));
      if (question.mode === 'url') return Promise.resolve({ action: 'decline' });
      return Promise.resolve({ action: 'accept', content: { city: 'Ulm', days: 3 } });
    };
    const run = await runs.start('mcp-server', { mcp: { askUser } });
    const ask = async (params: object): Promise<unknown> =>
      JSON.parse(textOf(await run.callTool('ask', { method: 'elicitation/create', params })));
    const requestedSchema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } };
    const answer = { action: 'accept', content: { city: 'Ulm', days: 3 } };
    assert.deepEqual(await ask({ message: 'Where?', requestedSchema }), { result: answer });
    const page = { mode: 'url', message: 'Pay?', url: 'https://x/pay', elicitationId: '1' };
    assert.deepEqual(await ask(page), { result: { action: 'decline' } });
    const file = { mode: 'url', message: 'Look!', url: 'file:///etc/passwd', elicitationId: '2' };
    assert.match(JSON.stringify(await ask(file)), /"error".*Only https: pages/);
    assert.deepEqual(asked, ['Where?', 'Pay?', 'x']);
  });

  it('is only declared if there is a user', async () => {
    const capabilities = async (askUser?: AskUser): Promise<string> => {
      const run = runs.create('mcp-server', { mcp: askUser ? { askUser } : {} });
      const wire = new WireNotes(run);
      await start(run);
      return JSON.stringify(wire.sent('initialize'));
    };
    const asking = await capabilities(() => Promise.resolve({ action: 'cancel' }));
    assert.match(asking, /"elicitation":\{"form":\{\},"url":\{\}\}/);
    assert.doesNotMatch(await capabilities(), /elicitation/);
  });

  it("starts with the fields' defaults", () => {
    const city = { type: 'string', default: 'Ulm' };
    const properties = { city, days: { type: 'integer' }, all: { default: false }, odd: 1 };
    assert.deepEqual(defaultsIn({ type: 'object', properties }), { city: 'Ulm', all: false });
    assert.deepEqual(defaultsIn({ properties: 'none' }), {});
  });
});
