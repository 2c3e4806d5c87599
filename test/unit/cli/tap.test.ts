import fc from 'fast-check';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tapPatternsFile, writeTapPatterns } from '../../../src/live/config/tapPatterns';
import { tapFolder } from '../../../src/wire/journal/tapFolder';
import type { JournalHeader } from '../../../src/wire/journal/journalLine';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { resultOf, useCli } from '../../support/cli';
import { cat, isWindows, itIfStdoutCloses, lateCat, script } from '../../support/platform';

const node = process.execPath;

/** What of an event does not change from run to run. */
function brief(event: WireEvent): string {
  if (event.dir === 'ev') return event.ev === 'exit' ? `exit ${event.code ?? event.signal ?? ''}` : event.ev;
  return `${event.dir} ${event.line}`;
}

describe('agent-logs tap', () => {
  const cli = useCli();
  let folder: string;
  beforeEach(() => (folder = cli.newFolder()));

  const tap = (...command: string[]): string[] => cli.tapTo(folder, ...command);

  it('hands on any bytes in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 20_000 }), async (bytes) => {
        const { stdout, code } = await cli.run(tap(...cat), Buffer.from(bytes));
        assert.deepEqual(stdout, Buffer.from(bytes));
        assert.equal(code, 0);
      }),
      { numRuns: 3 },
    );
  });

  it('hands on a flood while the client reads late, and waits with it', async () => {
    const megabytes = 96;
    const child = cli.start(
      tap(node, '-e', `for (let i = 0; i < ${megabytes}; i++) process.stdout.write(Buffer.alloc(1e6, i))`),
    );
    await once(child.stdout, 'readable');
    let received = 0;
    let wrong = 0;
    for await (const chunk of child.stdout) {
      for (const byte of [0, (chunk as Buffer).length - 1]) {
        if ((chunk as Buffer)[byte] !== Math.floor((received + byte) / 1e6)) wrong++;
      }
      received += (chunk as Buffer).length;
    }
    assert.equal(received, megabytes * 1e6);
    assert.equal(wrong, 0);
  });

  it('keeps what the person calls a secret out of its journal, from the first line on', async () => {
    const home = cli.newFolder();
    const places = { HOME: home, LOCALAPPDATA: home, XDG_STATE_HOME: join(home, 'state') };
    const state = tapFolder({ platform: process.platform, env: places, home });
    await writeTapPatterns(tapPatternsFile(state), ['ACME-\\d+']);
    const program = `console.log(process.env.LICENCE, process.env.API_KEY, 'ACME-17', 'fine')`;
    const [first, ...rest] = tap(node, '-e', program);
    const env = { ...places, LICENCE: 'q7Zk2vGqT7w99xQ', API_KEY: 'Hf83kdPq0Zms1' };
    const { stdout } = await cli.run([first!, '--secret-env', 'LICENCE', ...rest], '', env);
    assert.match(stdout.toString(), /^q7Zk2vGqT7w99xQ Hf83kdPq0Zms1 ACME-17 fine$/m, 'the client gets it all');
    const [journal] = await cli.journals(folder);
    const lines = (journal?.events ?? []).filter(({ dir }) => dir === 'a2c').map(brief);
    assert.deepEqual(lines, ['a2c [redacted] [redacted] [redacted] fine']);
  });

  it('keeps a journal that is the person’s alone, without secrets, and says which tap it is', async () => {
    const program = `process.stdin.on('data', (d) => process.stdout.write(d)).on('end', () => console.error('bye'))`;
    const child = cli.start(tap(node, '-e', program, '--', '--api-key', 'c29tZXRoaW5nLXNlY3JldA'));
    child.stdin.end('{"id":1,"apiKey":"c29tZXRoaW5nLXNlY3JldA"}\nno JSON\n{"half":');
    await resultOf(child);
    const [journal] = await cli.journals(folder);
    const { agent, protocol, part, tap: writer } = journal?.header as JournalHeader;
    assert.deepEqual(
      { agent, protocol, part, writer },
      { agent: 'Test', protocol: '', part: 1, writer: { pid: child.pid, beat: 60 } },
    );
    assert.equal(JSON.stringify(journal).includes('c29tZXRoaW5n'), false);
    const events = journal?.events ?? [];
    const of = (dir: string): string[] => events.filter((event) => event.dir === dir).map(brief);
    const lines = ['{"id":1,"apiKey":"[redacted]"}', 'no JSON', '{"half":'];
    for (const dir of ['c2a', 'a2c']) {
      const expected = lines.map((line) => `${dir} ${line}`);
      assert.deepEqual(of(dir), expected);
    }
    assert.deepEqual(of('err'), ['err bye']);
    assert.deepEqual(of('ev'), ['spawn', 'stdin-close', 'exit 0']);
    const [name = ''] = await readdir(folder);
    const modes = await Promise.all([stat(folder), stat(join(folder, name))]);
    const bits = modes.map(({ mode }) => mode & 0o777);
    if (!isWindows) assert.deepEqual(bits, [0o700, 0o600]);
  });

  it("goes to the user's state folder unless another is given", async () => {
    const places = { HOME: folder, LOCALAPPDATA: folder, XDG_STATE_HOME: folder };
    await cli.run(['tap', '--', ...script('')], '', places);
    const state = tapFolder({ platform: process.platform, env: places, home: folder });
    assert.equal((await cli.journals(state)).length, 1);
    const file = join(folder, 'own.ndjson');
    await cli.run(['tap', '--journal', file, '--', ...script('')]);
    assert.ok((await stat(file)).size > 0);
  });

  it('ends with the agent’s own code', async () => {
    const accessViolation = 0xc0000005;
    for (const code of [0, 3, 255, ...(isWindows ? [accessViolation] : [])]) {
      const program = `console.log('out'); console.error('err'); process.exitCode = ${code}`;
      const ended = await cli.run(tap(...script(program)));
      assert.deepEqual(
        { ...ended, stdout: ended.stdout.toString() },
        { code, signal: null, stdout: 'out\n', stderr: 'err\n' },
      );
    }
  });

  it('passes the end of standard input on, and ends when the agent does not wait for it', async () => {
    const ended = await cli.run(tap(node, '-e', "process.stdin.resume().on('end', () => process.exit(4))"), 'x');
    assert.equal(ended.code, 4);
    const child = cli.start(tap(...script('process.exit(6)'))); // standard input stays open
    assert.equal((await resultOf(child)).code, 6);
  });

  it('tells the agent when the client reads no more, and lives on when the agent reads no more', async () => {
    const talks = `process.stdout.on('error', (e) => process.exit(e.code === 'EPIPE' ? 8 : 9));
      setInterval(() => process.stdout.write('x'), 5)`;
    const child = cli.start(tap(node, '-e', talks));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 8);
    const program = "require('fs').closeSync(0); setTimeout(() => console.log('alive'), 200)";
    const deaf = await cli.run(tap(...script(program)), Buffer.alloc(1e6));
    assert.equal(deaf.stdout.toString(), 'alive\n');
    const [, second] = await cli.journals(folder);
    assert.equal(
      second?.events.some((event) => event.dir === 'ev' && event.ev === 'stdin-close'),
      false,
    );
  });

  itIfStdoutCloses('closes its standard output with the agent’s', async () => {
    const child = cli.start(tap(...script("require('fs').closeSync(1); process.stdin.resume()")));
    child.stdout.resume();
    await once(child.stdout, 'end');
    assert.equal(child.exitCode, null);
    child.stdin.end();
    assert.equal((await resultOf(child)).code, 0);
  });

  it('says what to do when the command cannot be started', async () => {
    const missing = await cli.run(tap('no-such-agent'));
    assert.equal(missing.code, 127);
    assert.match(missing.stderr, /'no-such-agent' was not found. Install it, or set its full path/);
    const [journal] = await cli.journals(folder);
    assert.deepEqual(journal?.events.map(brief), ['start-failed']);
    await writeFile(join(folder, 'plain'), '');
    await chmod(join(folder, 'plain'), 0o644);
    const plain = await cli.run(tap(join(folder, 'plain')));
    const [onWindows, elsewhere] = [
      /isn't executable\. .*in the command after --, set the program that runs it\./,
      /isn't executable\. .*the program that runs it in the command after --\./,
    ];
    assert.match(plain.stderr, isWindows ? onWindows : elsewhere);
    assert.equal(plain.code, 126);
    assert.match((await cli.run(tap(folder))).stderr, /is a folder. Name the program in it/);
    const quoted = await cli.run(tap('no-such-agent --acp'));
    assert.match(quoted.stderr, /was not found. Don't quote the program and its arguments/);
  });

  it('relays on when the journal cannot be written, and says so once', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'file'), '');
    const input = Buffer.alloc(3_000_000, 'line\n');
    const echo = script('process.stdin.pipe(process.stdout); process.exitCode = 3');
    const ended = await cli.run(
      ['tap', '--name', 'Test', '--folder', join(folder, 'file', 'under'), '--', ...echo],
      input,
    );
    assert.deepEqual(ended.stdout, input);
    assert.equal(ended.code, 3);
    assert.match(
      ended.stderr,
      /^agent-logs: the journal cannot be written: E[A-Z]+.*Test runs on without\. Give another place with --folder\.\n$/,
    );
  });

  it('recognises the protocol if none is given, of an agent that takes its time and logs its progress', async () => {
    const params = { protocolVersion: '2025-06-18' };
    await cli.run(tap(...lateCat), `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [journal] = await cli.journals(folder);
    assert.equal((journal?.header as JournalHeader).protocol, 'mcp');
    assert.equal(journal?.events.filter(({ dir }) => dir === 'a2c').length, 1);
  });

  it('writes a journal behind a journal, and behind nothing else', async () => {
    await mkdir(folder);
    const [journal, notes] = [join(folder, 'journal.ndjson'), join(folder, 'notes.md')];
    const hello = ['--name', 'Hello', '--', ...script("console.log('hello')")];
    for (let n = 0; n < 2; n++) await cli.run(['tap', '--journal', journal, ...hello]);
    assert.equal((await readFile(journal, 'utf8')).match(/^\{"journal":1,/gm)?.length, 2);
    await writeFile(notes, '# Notes\n');
    const ended = await cli.run(['tap', '--journal', notes, ...hello]);
    assert.equal(ended.stdout.toString(), 'hello\n');
    assert.match(
      ended.stderr,
      /notes.md has something else in it\. Hello runs on without\. Give another place with --journal\./,
    );
    assert.equal(await readFile(notes, 'utf8'), '# Notes\n');
  });

  it('writes a journal behind the last part of another, so that their runs are read in order', async () => {
    await mkdir(folder);
    const [first, second] = [join(folder, 'j.ndjson'), join(folder, 'j 2.ndjson')];
    const fields = { agent: 'old', protocol: 'acp', command: ['x'], cwd: '/', startedAt: '2026-01-01T00:00:00.000Z' };
    const line = (text: string): string => `{"t":"2026-01-01T00:00:00.000Z","ms":0,"dir":"err","line":"${text}"}\n`;
    for (const [index, path] of [first, second].entries()) {
      const header = { journal: 1, ...fields, part: index + 1 };
      await writeFile(path, `${JSON.stringify(header)}\n${line(path === first ? 'one' : 'two')}`);
    }
    await cli.run(['tap', '--journal', first, '--', ...script("console.error('three')")]);
    const { stdout } = await cli.run(['tail', first]);
    assert.deepEqual(stdout.toString().match(/\b(?:one|two|three)(?=\n)/g), ['one', 'two', 'three']);
  });

  it('relays on when its folder no longer exists', async function () {
    if (process.platform === 'win32') this.skip(); // a folder that is in use stays there
    await mkdir(folder);
    const inGone = ['-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'sh'];
    const ended = spawnSync('sh', [...inGone, node, cli.program, ...tap('cat')], { cwd: folder, input: 'hello' });
    assert.equal(ended.stdout.toString(), 'hello');
    assert.equal(ended.status, 0);
  });

  it('does not wait for a reader of a pipe that is named as its journal', async function () {
    if (process.platform === 'win32') this.skip();
    await mkdir(folder);
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const ended = await cli.run(['tap', '--journal', pipe, '--', 'sh', '-c', 'exit 3']);
    assert.equal(ended.code, 3);
    assert.match(ended.stderr, /pipe is not a file\. sh runs on without\./);
  });

  it('relays on when the disk is full', async function () {
    if (process.platform !== 'linux') this.skip();
    const input = Buffer.alloc(3_000_000, 'line\n');
    const ended = await cli.run(['tap', '--journal', '/dev/full', '--', 'cat'], input);
    assert.deepEqual(ended.stdout, input);
    assert.equal(ended.code, 0);
    assert.match(ended.stderr, /ENOSPC/);
  });

  it('answers 2 to a command line that it cannot follow', async () => {
    const ended = await cli.run(['tap', '--what']);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /Unknown option '--what'.*The options are.*\nTry "agent-logs --help"/);
    const help = await cli.run(['--help']);
    assert.match(help.stdout.toString(), /^Usage:/);
    assert.match((await cli.run(['--version'])).stdout.toString(), /^agent-logs \d+\.\d+\.\d+\n$/);
  });
});
