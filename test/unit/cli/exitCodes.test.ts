import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { secretsOfStart } from '../../../src/live/process/secretsOfStart';
import { useCliInFolder } from '../../support/cli';
import { entry, exit, header, message } from '../../support/journalText';

const run = 'test/fixtures/transcripts/codex-mock-ok.ndjson';

describe('agent-logs: exit codes', () => {
  const { cli, write } = useCliInFolder();

  for (const command of [`check ${run} --expect level:info`, `tail ${run}`, `share ${run}`, '--help']) {
    it(`are not 0 if the disk is full: ${command}`, function () {
      if (!existsSync('/dev/full')) this.skip();
      const line = `"${process.execPath}" "${cli.program}" ${command} > /dev/full`;
      const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
      assert.notEqual(status, 0);
      assert.match(stderr, /standard output cannot be written/);
    });
  }

  it('of a replay are those of an agent that crashed, unless its client ended it', async () => {
    const asked = message(1, 'c2a', { id: 1, method: 'initialize', params: {} });
    const begun = header() + asked + message(2, 'a2c', { id: 1, result: {} });
    const replayed = async (end: string): Promise<unknown> => {
      const path = await write('run.ndjson', begun + end);
      // The request has no line feed.
      const input = '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}';
      const { code, signal, stdout, stderr } = await cli.run(['replay', path, '--speed', 'max'], input);
      assert.match(stdout.toString(), /"id":7/, stderr);
      return signal ?? code;
    };
    const crash = exit(4, null, 'SIGSEGV');
    assert.notEqual(await replayed(crash), 0);
    // It ends no process here: the client closes stdin before the replay has left.
    assert.notEqual(await replayed(exit(4, null, 'SIGWINCH')), 0);
    assert.notEqual(await replayed(entry(3, 'ev', { ev: 'stdin-close' }) + crash), 0);
    const ending = entry(3, 'ev', { ev: 'signal', signal: 'SIGTERM' });
    assert.equal(await replayed(ending + exit(4, null, 'SIGTERM')), 0);
  });
});

describe('secrets of a start', () => {
  it('are values whose names say so, whatever they look like, but no folders', () => {
    const env = { NOTES_TOKEN: 'purple-monkey', AUTHORIZATION: 'my own phrase', PWD: '/home/me (x)', PLACE: 'here' };
    assert.deepEqual(secretsOfStart({ env }), ['purple-monkey', 'my own phrase']);
    assert.deepEqual(secretsOfStart({ env: {}, words: ['a', '--api-key=summer-of-69x', '-v'] }), ['summer-of-69x']);
    assert.deepEqual(secretsOfStart({ env, secretEnv: ['PLACE'] }).at(-1), 'here');
  });
});
