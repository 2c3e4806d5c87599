import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tapFolder } from '../../../../src/wire/journal/tapFolder';
import { resultOf, useCliInFolder } from '../../../support/cli';
import { runHere } from '../../../support/cliHere';
import { column } from '../../../support/columns';
import { exit, header, message } from '../../../support/journalText';
import { makeSavedHome, savedHomeEnv } from '../../../support/savedHome';

const transcripts = 'test/fixtures/transcripts';

interface Report {
  readonly checks: readonly {
    readonly passed: boolean;
    readonly found: string;
    readonly evidence?: readonly object[];
  }[];
}

describe('agent-logs check', () => {
  const { cli, at, write } = useCliInFolder();

  const checksFile = (...checks: readonly object[]) => write('checks.json', JSON.stringify({ checks }));
  const check = (...words: readonly string[]) => runHere(at(), ['check', ...words]);

  for (const [name, turns] of [
    ['claude-v2.ndjson', 1],
    ['codex-mock-ok.ndjson', 1],
    ['mcp-everything.ndjson', 0],
    ['lsp-login.ndjson', 0],
  ] as const) {
    it(`reads ${name} as a window does`, async () => {
      const file = join(transcripts, name);
      const spans = ['--spans', 'kind:turn', '--min', `${turns}`, '--max', `${turns}`];
      const { code, stdout, stderr } = await check(file, '--json', ...spans, '--expect', 'level:debug');
      assert.deepEqual([code, stderr], [0, '']);
      assert.deepEqual(column((JSON.parse(stdout) as Report).checks, 'passed'), [true, true], stdout);
    });
  }

  it('shows the records and spans that fail, and exits with 1', async () => {
    const args = ['--spans', 'kind:turn status:error', '--max', '0', '--expect', 'kind:diagnosis', '--max', '0'];
    const { code, stdout } = await check(join(transcripts, 'codex-mock-500.ndjson'), ...args);
    assert.equal(code, 1);
    for (const line of [
      /^FAIL {2}no spans match "kind:turn status:error": 1 span matches\n {6}.* Turn: Say hello in one word\. · failed \(/m,
      /^FAIL {2}no records match "kind:diagnosis": \d+ records match\n(?: {6}.*\n)* {6}.*\[error\]/m,
      /^2 of 2 checks failed\.$/m,
    ]) {
      assert.match(stdout, line);
    }
  });

  it('counts problems that still hold', async () => {
    const file = at('login.ndjson');
    let lines = header();
    const say = async (s: number, dir: 'c2a' | 'a2c', fields: object): Promise<number | undefined> => {
      lines += message(s * 1000, dir, fields);
      await writeFile(file, lines + exit(s * 1000));
      return (await check(file, '--no-problems', 'warning')).code;
    };
    await say(0, 'c2a', { id: 1, method: 'initialize', params: { protocolVersion: 1 } });
    await say(0, 'a2c', { id: 1, result: { protocolVersion: 1 } });
    await say(1, 'c2a', { id: 2, method: 'session/new', params: { cwd: '/', mcpServers: [] } });
    await say(1, 'a2c', { id: 2, error: { code: -32000, message: 'Authentication required' } });
    assert.equal(await say(60, 'c2a', { id: 3, method: 'authenticate', params: { methodId: 'key' } }), 1);
    assert.equal(await say(61, 'a2c', { id: 3, result: {} }), 0);
  });

  it('compares the steps of two runs', async () => {
    const file = join(transcripts, 'codex-mock-ok.ndjson');
    const same = await check(file, '--compare', file);
    assert.equal(same.code, 0);
    assert.equal(same.stdout, `ok    the same steps as ${file}: the steps are the same\n1 check passed.\n`);
    const other = await check(file, '--compare', join(transcripts, 'codex-mock-500.ndjson'), '--json');
    assert.equal(other.code, 1);
    const [found] = (JSON.parse(other.stdout) as Report).checks;
    assert.match(found?.found ?? '', /^step \d+ differs$/);
    assert.equal(found?.evidence?.length, 2);
  });

  it('reads standard input, and writes JUnit XML', async () => {
    const junit = at('junit.xml');
    const input = readFileSync(join(transcripts, 'codex-mock-ok.ndjson'));
    const words = ['check', '-', '--expect', 'level:error', '--max', '0', '--junit', junit];
    const { code } = await runHere(at(), words, { input });
    assert.equal(code, 0);
    assert.match(await readFile(junit, 'utf8'), /<testsuite name="standard input" tests="1" failures="0"/);
  });

  it('checks a saved session by the end of its id', async () => {
    makeSavedHome(at());
    const words = ['check', 'f2f1b7a11', '--spans', 'kind:turn'];
    const { code, stdout } = await runHere(at(), words, { env: savedHomeEnv(at()) });
    assert.equal(code, 0, stdout);
  });

  it('reads runs and expectations from a file', async () => {
    await write('a.ndjson', '{"level":30,"time":1730000000000,"msg":"a"}\n');
    await write('b.ndjson', '{"level":50,"time":1730000000000,"msg":"b"}\n');
    const path = await checksFile({ run: 'a.ndjson', expect: 'a' }, { run: 'b.ndjson', expect: 'level:error', max: 0 });
    const { code, stdout } = await check(path);
    assert.equal(code, 1);
    assert.match(stdout, /^a\.ndjson:\nok .*\nb\.ndjson:\nFAIL /);
    const other = await check(path, at('a.ndjson'));
    assert.equal(other.code, 0, 'the run that is named replaces those of the file');
  });

  it('reads the file of checks of the folder it is in if nothing else is said, and says so', async () => {
    const here = (...args: string[]) => {
      const child = spawn(process.execPath, [cli.program, 'check', ...args], { cwd: at() });
      child.stdin.end();
      return resultOf(child);
    };
    const run = resolve(transcripts, 'codex-mock-ok.ndjson');
    const none = await here();
    assert.deepEqual([none.code, none.stdout.toString()], [2, '']);
    assert.match(none.stderr, /Name the run to check .*there is no agent-logs\.checks\.json here\./);
    const checks = [{ spans: 'kind:turn', max: 1 }];
    await write('agent-logs.checks.json', JSON.stringify({ checks, run }));
    for (const args of [[], [run]]) {
      const { code, stdout, stderr } = await here(...args);
      assert.equal(stderr, 'agent-logs: the checks are those of agent-logs.checks.json in this folder.\n');
      assert.match(`${code} ${stdout.toString()}`, /^0 ok .*\n1 check passed\.\n$/);
    }
    const own = await here(run, '--expect', 'level:debug');
    assert.deepEqual([own.code, own.stderr], [0, '']);
    assert.match((await here('--expect', 'level:debug')).stderr, /Name the run to check: a file/);
    await write('agent-logs.checks.json', JSON.stringify({ checks }));
    assert.match((await here()).stderr, /agent-logs\.checks\.json does not name a run: add "run"/);
  });

  it('finds a run that a tap recorded by the end of its id', async () => {
    const env = { HOME: at(), LOCALAPPDATA: at(), XDG_STATE_HOME: at() };
    await cli.run(['tap', '--', process.execPath, '-e', 'console.error("hello")'], '', env);
    const [name = ''] = await cli.journalNames(tapFolder({ platform: process.platform, env, home: at() }));
    const run = name.slice(0, -'.ndjson'.length).slice(-8);
    const { code, stderr } = await runHere(at(), ['check', run, '--expect', 'kind:stderr hello'], { env });
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('does not print secrets or whole session ids', async () => {
    const secret = 'key=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const file = await write('log.ndjson', `{"level":50,"time":1730000000000,"msg":"${secret}"}\n`);
    const { stdout } = await check(file, '--expect', 'level:error', '--max', '0');
    assert.match(stdout, /\[redacted\]/);
    assert.ok(!stdout.includes('abcdefghij'));
  });

  it('exits with 2 if it cannot check', async () => {
    const file = join(transcripts, 'codex-mock-ok.ndjson');
    const checks = await checksFile({ expect: 'a', run: file });
    const noRun = await write('runless.json', '{"checks": [{"expect": "a"}]}');
    for (const [args, why] of [
      [[], /Name the run to check/],
      [[file], /Say what to check/],
      [[file, '--max', '1', '--expect', 'a'], /--max comes after/],
      [[file, '--expect', 'levle:error'], /isn’t a known key/],
      [[at('none.json'), '--expect', 'a'], /does not exist/],
      [[noRun], /does not name a run/],
      [[checks, '--expect', 'a'], /Name the run after .*checks\.json: --expect/],
      [[checks, checks], /Name one file of checks only/],
      [[await write('no.json', '{"checks": [,]}'), file], /no\.json is not valid JSON/],
      [[at('none.ndjson'), '--expect', 'a'], /Name a file, or a session or a run/],
      [[file, '--compare', at('none.ndjson')], /none\.ndjson does not exist/],
    ] as const) {
      const { code, stdout, stderr } = await check(...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, why);
    }
  });

  describe('by the tap', () => {
    const said = `{ jsonrpc: '2.0', method: 'log', params: { level: 'error', message: 'broken' } }`;
    const agent = (then: string) => [process.execPath, '-e', `console.log(JSON.stringify(${said})); ${then}`];
    const tap = (checks: string, command: readonly string[]) => {
      return ['tap', '--protocol', 'acp', '--folder', at('journals'), '--check', checks, '--', ...command];
    };

    it('reports on stderr when the agent has ended, and fails instead of an agent that succeeded', async () => {
      const failing = await checksFile({ expect: 'level:error', max: 0 }, { expect: 'broken' });
      const { code, stdout, stderr } = await cli.run(tap(failing, agent('')));
      assert.equal(code, 1);
      assert.match(stdout.toString(), /^\{"jsonrpc".*\}\n$/, 'stdout is only the agent’s');
      assert.match(stderr, /^FAIL {2}no records match "level:error": 1 record matches$/m);
      assert.match(stderr, /^ok {4}at least 1 record match "broken"/m);
    });

    it('says at once what can only fail, and leaves the agent its exit code', async () => {
      const failing = await checksFile({ expect: 'level:error', max: 0 });
      const child = cli.start(tap(failing, agent('process.stdin.resume().on("end", () => process.exit(7))')));
      const ended = resultOf(child);
      let said = '';
      while (!said.includes('fails so far')) said += String((await once(child.stderr, 'data'))[0]);
      child.stdin.end();
      assert.equal((await ended).code, 7);
    });

    it('passes nothing if the agent couldn’t be started', async () => {
      const passing = await checksFile({ expect: 'level:error', max: 9 });
      const { code, stdout, stderr } = await cli.run(tap(passing, ['no-such-agent']));
      assert.deepEqual([code, stdout.toString()], [127, '']);
      assert.match(stderr, /has no run: its agent couldn't be started\. The command 'no-such-agent' was not found/);
      assert.doesNotMatch(stderr, /passed/);
    });

    it('does not start the agent if the checks are wrong', async () => {
      const wrong = await checksFile({ expct: 'a' });
      const { code, stdout, stderr } = await cli.run(tap(wrong, agent('')));
      assert.deepEqual([code, stdout.toString()], [2, '']);
      assert.match(stderr, /check 1: unknown "expct"/);
    });
  });
});
