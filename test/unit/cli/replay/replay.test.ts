import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { acpTurn, useCliInFolder } from '../../../support/cli';
import { runHere } from '../../../support/cliHere';

describe('agent-logs replay', () => {
  const { cli, at, write } = useCliInFolder();
  const turn = (args: readonly string[], text: string) => acpTurn(cli.start(args), text);

  it('shows the official ACP client what it saw when it was recorded', async () => {
    const journal = at('run.ndjson');
    const agent = [process.execPath, join(cli.folder, 'sampleAgent.js')];
    for (const text of ['/levels', '/permission']) {
      const file = text === '/levels' ? journal : at('second.ndjson');
      const recorded = await turn(['tap', '--protocol', 'acp', '--journal', file, '--', ...agent], text);
      const again = await turn(['replay', file, '--speed', 'max'], text);
      assert.deepEqual(again, recorded);
      assert.equal(again.seen.at(-1), 'end_turn');
    }
    const other = await turn(['replay', journal, '--speed', 'max'], 'something else');
    assert.match(other.seen.at(-1) ?? '', /Not in the recording: session\/prompt .*something else.*Expected: .*levels/);
    assert.equal(other.code, 1);
    const loose = await turn(['replay', journal, '--speed', 'max', '--loose'], 'something else');
    assert.deepEqual([loose.seen.at(-1), loose.code], ['end_turn', 0]);
  });

  it('prints a stream, and exits as its agent', async () => {
    const file = 'test/fixtures/streams/claude.ndjson';
    const { stdout, code } = await cli.run(['replay', file, '--speed', 'max']);
    assert.deepEqual([stdout.toString(), code], [readFileSync(file, 'utf8'), 0]);
    const journal = at('run.ndjson');
    const failing = `console.log(JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm' })); console.error('no'); process.exitCode = 4`;
    const tap = ['tap', '--protocol', 'stream-json', '--journal', journal, '--', process.execPath, '-e', failing];
    const recorded = await cli.run(tap);
    assert.deepEqual([recorded.code, recorded.stderr], [4, 'no\n']);
    assert.deepEqual(await cli.run(['replay', journal, '--speed', 'max']), recorded);
    const cut = await write('cut.ndjson', readFileSync(journal).subarray(0, -20));
    const { stderr } = await cli.run(['replay', cut, '--speed', 'max']);
    assert.match(stderr, /incomplete: 1 line cannot be read\.\n.*the recording is incomplete: the run has no end: /);
  });

  it('says what it cannot replay', async () => {
    const log = await write('log.ndjson', '{"level":30,"time":1730000000000,"msg":"hello"}\n');
    for (const [args, message] of [
      [[], /Name the run to replay/],
      [['a', '--speed', '0'], /--speed a number above 0, or max/],
      [[at('none.ndjson')], /none\.ndjson does not exist/],
      [[log], /has no messages of an agent/],
    ] as const) {
      const { code, stdout, stderr } = await runHere(at(), ['replay', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
    }
  });
});
