import assert from 'node:assert/strict';
import { join } from 'node:path';
import { objectOf } from '../../../src/text/json';
import { acpTurn, useCli } from '../../support/cli';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

describe('agent-logs tap: between the official SDK’s client and an agent', () => {
  const cli = useCli();

  for (const [what, options, expected] of [
    ['the journal has a whole turn, and no logs', [], []],
    ['with --level the journal has the agent’s logs', ['--level', 'debug'], levels],
  ] as const) {
    it(`${what}; the client sees no logs`, async () => {
      const folder = cli.newFolder();
      const agent = [process.execPath, join(cli.folder, 'sampleAgent.js')];
      const child = cli.start(['tap', '--name', 'Sample', '--folder', folder, ...options, '--', ...agent]);
      const { seen, others, code } = await acpTurn(child, '/levels');
      assert.match(seen.join(), /"agent_message_chunk"/);
      assert.deepEqual([seen.at(-1), others, code], ['end_turn', [], 0]);
      const [journal] = await cli.journals(folder);
      const messages = (dir: string) =>
        journal!.events.flatMap((event) => (event.dir === dir && 'msg' in event ? [objectOf(event.msg)] : []));
      const methods = messages('c2a').map(({ method }) => method);
      assert.deepEqual(methods, ['initialize', 'session/new', 'session/prompt']);
      const logs = messages('a2c').filter(({ method }) => method === 'log');
      const own = logs.map(({ params }) => objectOf(params)).filter(({ logger }) => logger === 'sample.levels');
      const logged = own.map(({ level }) => level);
      assert.deepEqual(logged, expected);
    });
  }
});
