import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secretsOfStart } from '../../../src/live/process/secretsOfStart';
import { useCli } from '../../support/cli';

/** When an event came, in milliseconds. */
function at(ms: number): object {
  return { t: new Date(Date.UTC(2026, 10, 20) + ms).toISOString(), ms };
}

const run = 'test/fixtures/transcripts/codex-mock-ok.ndjson';

describe('agent-logs: exit codes', () => {
  const cli = useCli();

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
    const folder = cli.newFolder();
    await mkdir(folder);
    const replayed = async (...events: readonly object[]): Promise<unknown> => {
      const header = { journal: 1, agent: 'A', protocol: 'acp', startedAt: '2026-11-20T10:00:00.000Z' };
      const line = '{"jsonrpc":"2.0","id":1,"result":{}}';
      const asked = { ...at(1), dir: 'c2a', msg: { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} } };
      const lines = [header, asked, { ...at(2), dir: 'a2c', msg: JSON.parse(line) as unknown }, ...events];
      const path = join(folder, 'run.ndjson');
      await writeFile(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
      // The request has no line feed.
      const input = '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}';
      const { code, signal, stdout, stderr } = await cli.run(['replay', path, '--speed', 'max'], input);
      assert.match(stdout.toString(), /"id":7/, stderr);
      return signal ?? code;
    };
    const crash = { ...at(4), dir: 'ev', ev: 'exit', code: null, signal: 'SIGSEGV' };
    assert.notEqual(await replayed(crash), 0);
    // It ends no process here: the client closes stdin before the replay has left.
    assert.notEqual(await replayed({ ...crash, signal: 'SIGWINCH' }), 0);
    const closed = { ...at(3), dir: 'ev', ev: 'stdin-close' };
    assert.notEqual(await replayed(closed, crash), 0);
    const asked = { ...at(3), dir: 'ev', ev: 'signal', signal: 'SIGTERM' };
    assert.equal(await replayed(asked, { ...crash, signal: 'SIGTERM' }), 0);
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
