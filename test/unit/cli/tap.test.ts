import fc from 'fast-check';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tapPatternsFile, writeTapPatterns } from '../../../src/live/config/tapPatterns';
import { tapFile, tapFolder } from '../../../src/wire/journal/tapFolder';
import { resultOf, useCli } from '../../support/cli';
import { entry, header } from '../../support/journalText';
import { cat, isWindows, itIfStdoutCloses, lateCat, leavesChild, leavesWriter, script } from '../../support/platform';

const node = process.execPath;

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
    const program = `for (let i = 0; i < ${megabytes}; i++) process.stdout.write(Buffer.alloc(1e6, i))`;
    const child = cli.start(tap(node, '-e', program));
    await once(child.stdout, 'readable');
    let [received, wrong] = [0, 0];
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (const byte of [0, chunk.length - 1]) if (chunk[byte] !== Math.floor((received + byte) / 1e6)) wrong++;
      received += chunk.length;
    }
    assert.deepEqual([received, wrong], [megabytes * 1e6, 0]);
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
    const lines = (await cli.crossed(folder)).filter((line) => line.startsWith('a2c'));
    assert.deepEqual(lines, ['a2c [redacted] [redacted] [redacted] fine']);
  });

  it('keeps its journal beside the installed tap if a client passes on no variables of VS Code', async () => {
    const state = join(folder, 'agent-logs');
    await mkdir(state, { recursive: true });
    const installed = join(state, tapFile);
    await copyFile(cli.program, installed);
    await writeTapPatterns(tapPatternsFile(join(state, 'taps')), ['ACME-\\d+']);
    const env = { HOME: cli.newFolder(), PATH: process.env['PATH'] };
    execFileSync(node, [installed, 'tap', '--', node, '-e', "console.log('ACME-17')"], { env });
    const lines = (await cli.crossed(join(state, 'taps'))).filter((line) => line.startsWith('a2c'));
    assert.deepEqual(lines, ['a2c [redacted]']);
  });

  it('keeps a journal that is the person’s alone, without secrets, and says which tap it is', async () => {
    const program = `process.stdin.on('data', (d) => process.stdout.write(d)).on('end', () => console.error('bye'))`;
    const child = cli.start(tap(node, '-e', program, '--', '--api-key', 'c29tZXRoaW5nLXNlY3JldA'));
    child.stdin.end('{"id":1,"apiKey":"c29tZXRoaW5nLXNlY3JldA"}\nno JSON\n{"half":');
    await resultOf(child);
    const [journal] = await cli.journals(folder);
    const { agent, protocol, part, tap: writer } = journal!.header;
    assert.deepEqual([agent, protocol, part, writer], ['Test', '', 1, { pid: child.pid, beat: 60 }]);
    assert.ok(!JSON.stringify(journal).includes('c29tZXRoaW5n'));
    const crossed = await cli.crossed(folder);
    for (const dir of ['c2a', 'a2c']) {
      const lines = crossed.filter((line) => line.startsWith(dir));
      assert.deepEqual(lines, [`${dir} {"id":1,"apiKey":"[redacted]"}`, `${dir} no JSON`, `${dir} {"half":`]);
    }
    const others = crossed.filter((line) => !/^(?:c2a|a2c) /.test(line)).sort();
    assert.deepEqual(others, ['err bye', 'exit 0', 'spawn', 'stdin-close']);
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
      const { stdout, ...ended } = await cli.run(tap(...script(program)));
      assert.deepEqual([stdout.toString(), ended], ['out\n', { code, signal: null, stderr: 'err\n' }]);
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
    assert.ok(!second!.events.some((event) => event.dir === 'ev' && event.ev === 'stdin-close'));
  });

  it('passes on what a process that the agent left behind still writes, and then exits as the agent did', async () => {
    const { stdout, stderr, code } = await cli.run(tap(...leavesWriter));
    assert.deepEqual([stdout.toString(), stderr, code], ['late\n', 'late\n', 2]);
    assert.deepEqual(await cli.crossed(folder), ['spawn', 'stdin-close', 'a2c late', 'err late', 'exit 2']);
  });

  it('does not wait long for a silent process that the agent left behind', async () => {
    // It lives longer than this test may take.
    assert.equal((await cli.run(tap(...leavesChild))).stdout.toString(), 'out\n');
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
    assert.deepEqual(await cli.crossed(folder), ['start-failed']);
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

  const hasElse = /notes\.md has .* else in it\. Test .* with --journal\./;
  const cannot =
    /^agent-logs: the journal cannot be written: E.*Test runs on without\. Give another place with --folder\.\n$/;
  for (const [what, option, place, why, isHere] of [
    ['is below a file', '--folder', 'notes.md/under', cannot, true],
    ['has something else in it', '--journal', 'notes.md', hasElse, true],
    ['is a pipe without a reader', '--journal', 'pipe', /pipe is not a file\. Test runs on without\./, !isWindows],
    ['is on a full disk', '--journal', '/dev/full', /ENOSPC/, process.platform === 'linux'],
  ] as const) {
    it(`relays on, and says so once, when the place of its journal ${what}`, async function () {
      if (!isHere) this.skip();
      await mkdir(folder);
      await writeFile(join(folder, 'notes.md'), '# Notes\n');
      if (place === 'pipe') spawnSync('mkfifo', [join(folder, place)]);
      const input = Buffer.alloc(3_000_000, 'line\n');
      const echo = script('process.stdin.pipe(process.stdout); process.exitCode = 3');
      const words = ['tap', '--name', 'Test', option, resolve(folder, place), '--', ...echo];
      const ended = await cli.run(words, input);
      assert.deepEqual([ended.stdout, ended.code], [input, 3]);
      assert.match(ended.stderr, why);
      assert.equal(await readFile(join(folder, 'notes.md'), 'utf8'), '# Notes\n');
    });
  }

  it('recognises the protocol if none is given, of an agent that takes its time and logs its progress', async () => {
    const params = { protocolVersion: '2025-06-18' };
    await cli.run(tap(...lateCat), `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [journal] = await cli.journals(folder);
    assert.equal(journal?.header.protocol, 'mcp');
    assert.equal(journal.events.filter(({ dir }) => dir === 'a2c').length, 1);
  });

  it('writes a journal behind a journal', async () => {
    await mkdir(folder);
    const journal = join(folder, 'journal.ndjson');
    for (let n = 0; n < 2; n++) await cli.run(['tap', '--journal', journal, '--', ...script('')]);
    assert.equal((await readFile(journal, 'utf8')).match(/^\{"journal":1,/gm)?.length, 2);
  });

  it('writes a journal behind the last part of another, so that their runs are read in order', async () => {
    await mkdir(folder);
    const [first, second] = [join(folder, 'j.ndjson'), join(folder, 'j 2.ndjson')];
    await writeFile(first, header() + entry(0, 'err', { line: 'one' }));
    await writeFile(second, header({ part: 2 }) + entry(0, 'err', { line: 'two' }));
    await cli.run(['tap', '--journal', first, '--', ...script("console.error('three')")]);
    const { stdout } = await cli.run(['tail', first]);
    assert.deepEqual(stdout.toString().match(/\b(?:one|two|three)(?=\n)/g), ['one', 'two', 'three']);
  });

  it('relays on when its folder no longer exists', async function () {
    if (process.platform === 'win32') this.skip(); // a folder that is in use stays there
    await mkdir(folder);
    const inGone = ['-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'sh'];
    const ended = spawnSync('sh', [...inGone, node, cli.program, ...tap('cat')], { cwd: folder, input: 'hello' });
    assert.deepEqual([ended.stdout.toString(), ended.status], ['hello', 0]);
  });

  it('answers 2 to a command line that it cannot follow', async () => {
    const ended = await cli.run(['tap', '--what']);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /Unknown option '--what'.*The options are.*\nTry "agent-logs --help"/);
    assert.match((await cli.run(['--help'])).stdout.toString(), /^Usage:/);
  });
});
