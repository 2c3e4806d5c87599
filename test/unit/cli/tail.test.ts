import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import { assertGolden } from '../../support/golden';
import { resultOf, useCliInFolder } from '../../support/cli';
import { runHere } from '../../support/cliHere';
import { exit, header, linesText, log, message } from '../../support/journalText';

const fixtures = 'test/fixtures';

describe('agent-logs tail', () => {
  const { cli, at } = useCliInFolder();
  let file: string;
  beforeEach(() => (file = at('a.ndjson')));

  it('shows what comes by a pipe when its writer pauses, however little it was', async () => {
    const child = cli.start(['tail', '-']);
    child.stdin.write(header() + log('hello'));
    let out = '';
    while (!out.includes('hello')) out += String((await once(child.stdout, 'data'))[0]);
    child.stdin.end();
    assert.equal((await resultOf(child)).code, 0);
  });

  const tail = (...args: readonly string[]) => runHere(at(), ['tail', ...args]);
  const tailed = async (...args: readonly string[]): Promise<string> => (await tail(...args)).stdout;

  /** Starts `tail -f`; `line` waits for a line with this text. */
  function follow() {
    const child = cli.start(['tail', '-f', file]);
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const line = async (text: string): Promise<void> => {
      while (!out.includes(text)) await once(child.stdout, 'data');
    };
    const done = resultOf(child).then(({ stdout }) => stdout.toString());
    return { line, done, end: () => child.kill() };
  }

  it('shows the time of the record before for one without a time, in a stream and in a log', async () => {
    const at = (second: number): string => `2026-11-28T13:07:0${second}.000Z`;
    const stream = [
      { type: 'init', session_id: 's1', model: 'gemini-2.5-flash' },
      { type: 'message', timestamp: at(2), role: 'user', content: 'Hi' },
      { type: 'result', timestamp: at(4), status: 'error', error: { message: 'mock 401', type: 'unknown' }, stats: {} },
    ];
    await writeFile(file, linesText(...stream));
    const lines = await tailed(file);
    assert.match(
      lines,
      /^(?:2026-11-28.13:07:02.*\n){2}2026-11-28.13:07:04.*\n2026-11-28.13:07:04.*authentication-required.*\n$/,
    );
    await writeFile(file, 'INFO  2026-11-28T12:49:00 +12ms service=default begun\nno time of its own\n');
    assert.deepEqual((await tailed(file)).trim().split('\n'), [
      '2026-11-28 12:49:00.000 [info] [connection] service=default begun',
      '2026-11-28 12:49:00.000 [info] [connection] no time of its own',
    ]);
  });

  it('reads a pipe by its path', async function () {
    if (process.platform === 'win32') this.skip();
    await writeFile(file, header() + log('hello'));
    const piped = ['-c', 'cat "$0" | "$1" "$2" tail /dev/stdin', file, process.execPath, cli.program];
    assert.match(spawnSync('sh', piped, { encoding: 'utf8' }).stdout, /hello/);
  });

  for (const [name, ...args] of [
    ['transcript', `${fixtures}/transcripts/codex-mock-500.ndjson`],
    ['warnings.json', '--json', '--level', 'warning', `${fixtures}/transcripts/opencode-mock-429-logs.ndjson`],
    ['mcp', '--level', 'warn', `${fixtures}/transcripts/mcp-everything.ndjson`],
    ['session', '--session', 'say hello in one word.', `${fixtures}/transcripts/clean-claude.ndjson`],
  ] as const) {
    it(`prints a file: ${name}`, async () => {
      assertGolden(`test/golden/tail/${name}.txt`, await tailed(...args));
    });
  }

  it('prints the stream of an agent’s command line, also from a pipe', async () => {
    const stream = '{"type":"thread.started","thread_id":"0123456789abcdef"}\n{"type":"error","message":"no model"}\n';
    await writeFile(file, stream);
    const fromFile = await tailed(file);
    const { stdout } = await runHere(at(), ['tail', '-'], { input: stream });
    const untimed = (text: string): string => text.replace(/^[\d-]+ [\d:.]+ /gm, '');
    assert.match(fromFile, /\[89abcdef\] thread started\n.*\[error\] \[89abcdef\].*no model\n/);
    assert.equal(untimed(stdout), untimed(fromFile));
  });

  it('ends quietly when the reader goes away', async () => {
    await writeFile(file, header() + log('x'.repeat(1000)).repeat(20_000));
    const child = cli.start(['tail', file]);
    const ended = resultOf(child);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const { code, stderr } = await ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('follows a journal, through its next part, to the end of its run', async () => {
    await writeFile(file, header() + log('one'));
    const followed = follow();
    await followed.line('one');
    await appendFile(file, log('two').slice(0, 30));
    await appendFile(file, log('two').slice(30));
    await followed.line('two');
    await writeFile(at('a 2.ndjson'), header({ part: 2 }) + log('three') + exit(2000, 1));
    const told = (await followed.done).match(/one|two|three|exited with code 1(?=\n)|failed/g);
    assert.deepEqual(told, ['one', 'two', 'three', 'exited with code 1', 'failed']);
  });

  it('prints no other run, though its file has the name of a next part', async () => {
    await writeFile(file, header() + log('one'));
    await writeFile(at('a 2.ndjson'), header({ agent: 'Other' }) + log('two') + exit(2000, 1));
    assert.deepEqual((await tailed(file)).match(/one|two|exited/g), ['one']);
    const followed = follow();
    await followed.line('one');
    await appendFile(file, exit(2000));
    assert.deepEqual((await followed.done).match(/one|two|exited with code \d/g), ['one', 'exited with code 0']);
  });

  it('follows a file that is cut, and one that is replaced', async () => {
    await writeFile(file, log('one') + log('two'));
    const followed = follow();
    await followed.line('two');
    await writeFile(file, log('three'));
    await followed.line('three');
    await rename(file, `${file}.1`);
    await writeFile(file, log('four'));
    await followed.line('four');
    followed.end();
    assert.deepEqual((await followed.done).match(/one|two|three|four/g), ['one', 'two', 'three', 'four']);
  });

  it('does not wait for a tap that is gone', async () => {
    const gone = cli.start(['--version']);
    await resultOf(gone);
    await writeFile(file, header({ tap: { pid: gone.pid } }) + log('last'));
    const { code, stdout, stderr } = await cli.run(['tail', '-f', file]);
    assert.match(stdout.toString(), /last\n$/);
    assert.match(stderr, /is gone; how the run ended is not known/);
    assert.doesNotMatch(stderr, /not everything/);
    assert.equal(code, 0);
    await appendFile(file, exit(2000));
    const ended = await cli.run(['tail', '-f', file]);
    assert.match(ended.stdout.toString(), /exited with code 0\n$/);
    assert.doesNotMatch(ended.stderr, /is gone/);
  });

  it('shows a line that was cut when its writer died', async () => {
    await writeFile(file, header() + log('one') + log('two').slice(0, 60));
    const { stdout, stderr } = await tail(file);
    assert.match(stdout, /one\n.*\[warn\] .*a line that cannot be read: \{"t":"2026/);
    assert.match(stderr, /was read: 1 line cannot be read\.\n.*not everything was read: the run has no end: /);
  });

  it('gives one JSON object to a line, and how it ended in the last', async () => {
    const params = { sessionId: 'session-0123456789', prompt: [] };
    const prompt = message(1000, 'c2a', { id: 1, method: 'session/prompt', params });
    await writeFile(file, header() + prompt + log('two lines\nof session-0123456789', 'critical') + exit(2000));
    const lines = (await tailed('--json', '--level', 'warning', file)).trimEnd().split('\n');
    const [first, ...rest] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const logged = { level: 'critical', kind: 'log', message: 'two lines\nof …23456789' };
    assert.deepEqual(first, { seq: 2, time: '2026-01-01T00:00:01.000Z', ...logged });
    const unanswered = 'exited with code 0 and left session/prompt unanswered';
    const termination = { reason: 'error', terminated_by: 'agent', message: unanswered, exit_code: 0 };
    assert.deepEqual(rest.at(-1), { time: '2026-01-01T00:00:02.000Z', termination });
  });

  it('prints no secrets from any file', async () => {
    const secret = 'c29tZXRoaW5nLXNlY3JldA';
    const entry = { level: 30, msg: `Authorization: Bearer ${secret}`, apiKey: secret };
    await writeFile(file, `${JSON.stringify(entry)}\n`);
    for (const args of [[file], ['--json', file]]) assert.match(await tailed(...args), /^(?!.*c29tZX).*redacted/);
    const line = log(`Authorization: Bearer ${secret}`);
    for (const written of [line, line.slice(0, -8)]) {
      await writeFile(file, header() + written);
      assert.match(await tailed(file), /^(?!.*c29tZX).*redacted/);
    }
  });

  it('says what to do when there is nothing to print', async () => {
    const session = await tail('--session', 'nope', `${fixtures}/transcripts/pi-acp.ndjson`);
    assert.match(session.stderr, /no session is "nope"\. There are none\./);
  });
});
