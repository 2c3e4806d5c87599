import { client, methods } from '@agentclientprotocol/sdk';
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acpStreamOf, resultOf, useCli } from '../../support/cli';
import { objectOf } from '../../../src/text/json';

describe('agent-logs tap: between the official SDK’s client and an agent', () => {
  const cli = useCli();

  /** What a client saw of a turn, ids aside. */
  async function turn(options: readonly string[]) {
    const agent = [process.execPath, join(cli.folder, 'sampleAgent.js')];
    const child = cli.start(['tap', '--name', 'Sample', ...options, '--', ...agent]);
    child.stderr.resume();
    const updates: string[] = [];
    const others: string[] = [];
    const stream = acpStreamOf(child);
    const stopReason = await client({ name: 'test' })
      .onNotification(methods.client.session.update, ({ params }) => {
        updates.push(params.update.sessionUpdate);
      })
      .onNotification('*', ({ method }) => {
        others.push(method);
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => ({
        outcome: { outcome: 'selected', optionId: params.options[0]?.optionId ?? '' },
      }))
      .connectWith(stream, async (agent) => {
        await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
        const { sessionId } = await agent.request(methods.agent.session.new, { cwd: tmpdir(), mcpServers: [] });
        const prompt = [{ type: 'text' as const, text: '/levels' }];
        const answer = await agent.request(methods.agent.session.prompt, { sessionId, prompt });
        return (answer as { stopReason: string }).stopReason;
      });
    child.stdin.end();
    const { code } = await resultOf(child);
    return { stopReason, updates, others, code };
  }

  it('a whole turn passes, and is in the journal', async () => {
    const folder = join(cli.folder, 'plain');
    const seen = await turn(['--folder', folder]);
    assert.equal(seen.stopReason, 'end_turn');
    assert.ok(seen.updates.includes('agent_message_chunk'), seen.updates.join());
    assert.deepEqual(seen.others, []);
    assert.equal(seen.code, 0);
    const [journal] = await cli.journals(folder);
    const sent = journal?.events.flatMap((event) => (event.dir === 'c2a' ? [objectOf(event.msg)['method']] : []));
    assert.deepEqual(sent, ['initialize', 'session/new', 'session/prompt']);
    assert.equal(JSON.stringify(journal).includes('"method":"log"'), false);
  });

  it('with --level the journal has the agent’s logs, and the client sees none of them', async () => {
    const folder = join(cli.folder, 'level');
    const seen = await turn(['--folder', folder, '--level', 'debug']);
    assert.equal(seen.stopReason, 'end_turn');
    assert.deepEqual(seen.others, []);
    const [journal] = await cli.journals(folder);
    const logged = journal?.events.flatMap((event) => {
      const { method, params } = event.dir === 'a2c' ? objectOf(event.msg) : {};
      const { logger, level } = objectOf(params);
      return method === 'log' && logger === 'sample.levels' ? [level] : [];
    });
    assert.deepEqual(logged, ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
  });
});
