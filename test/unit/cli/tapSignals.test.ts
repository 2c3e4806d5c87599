import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import type { CliResult } from '../../support/cli';
import { resultOf, useCli } from '../../support/cli';
import { rowsOf } from '../../support/columns';
import { isWindows } from '../../support/platform';
import { gone } from '../../support/testRun';

const node = process.execPath;

const describeSignals = isWindows ? describe.skip : describe;

describeSignals('agent-logs tap: signals (Windows has none for other processes)', () => {
  const cli = useCli();
  let folder: string;
  beforeEach(() => (folder = cli.newFolder()));

  const tap = (...command: string[]): string[] => cli.tapTo(folder, ...command);

  /** The signals in the journal. */
  async function signalsIn(): Promise<readonly string[]> {
    const [journal] = await cli.journals(folder);
    return journal!.events.flatMap((event) => (event.dir === 'ev' && event.ev === 'signal' ? event.signal : []));
  }

  it('ends by the signal that ended the agent', async () => {
    const names = ['TERM', 'KILL', 'INT', 'PIPE', 'SEGV', 'ABRT', 'QUIT'];
    const ended: CliResult[] = [];
    // One after another: the tap waits for its journal for some seconds only.
    for (const name of names) {
      ended.push(await cli.run(tap('sh', '-c', `ulimit -c 0; trap - ${name}; kill -${name} $$`)));
    }
    const signals = names.map((name) => `SIG${name} `);
    assert.deepEqual(rowsOf(ended, 'signal', 'stderr'), signals);
  });

  it('leaves no core file of the tap', async () => {
    const place = cli.newFolder();
    await mkdir(place);
    const words = [node, cli.program, ...tap('sh', '-c', 'ulimit -c 0; kill -ABRT $$')];
    const { signal } = spawnSync('sh', ['-c', 'ulimit -c unlimited; exec "$@"', 'sh', ...words], { cwd: place });
    assert.equal(signal, 'SIGABRT');
    assert.deepEqual(await readdir(place), []);
  });

  it('ends an agent that ignores the end of stdin when the tap is killed', async () => {
    const child = cli.start(tap(node, '-e', 'setInterval(() => {}, 1000); console.log(process.pid)'));
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    const agent = Number(chunk.toString());
    child.kill('SIGKILL');
    await gone(agent);
  });

  it('passes signals on, and leaves it to the agent what to make of them', async () => {
    const program = `
      for (const name of ['SIGINT', 'SIGHUP']) process.on(name, () => console.log(name));
      process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(5); });
      setInterval(() => {}, 1000); console.log('ready');`;
    const child = cli.start(tap(node, '-e', program));
    const result = resultOf(child);
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) {
      await once(child.stdout, 'data');
      child.kill(signal);
    }
    const { code, stdout } = await result;
    assert.equal(stdout.toString(), 'ready\nSIGINT\nSIGHUP\nSIGTERM\n');
    assert.equal(code, 5);
    assert.deepEqual(await signalsIn(), ['SIGINT', 'SIGHUP', 'SIGTERM']);
  });

  it('passes on what means nothing to itself, and dies of it as the agent does', async () => {
    const names = ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGCONT', 'SIGWINCH', 'SIGQUIT'] as const;
    const program = `
      for (const name of ${JSON.stringify(names)}) process.on(name, () => console.log(name));
      process.stdin.resume().on('end', () => { process.removeAllListeners('SIGUSR1'); process.kill(process.pid, 'SIGUSR1'); });
      console.log('ready');`;
    const child = cli.start(tap(node, '-e', program));
    const result = resultOf(child);
    for (const name of names) {
      await once(child.stdout, 'data');
      child.kill(name);
    }
    await once(child.stdout, 'data');
    child.stdin.end();
    const { signal, stdout, stderr } = await result;
    assert.deepEqual({ signal, stderr }, { signal: 'SIGUSR1', stderr: '' });
    assert.equal(stdout.toString(), `ready\n${names.join('\n')}\n`);
    assert.deepEqual(await signalsIn(), ['SIGQUIT']);
  });

  it('leaves the mode of a pipe that others share unchanged', () => {
    const shared = `"$@" </dev/null; head -c 300000 /dev/zero`;
    const words = ['-c', `(${shared}) 2>/dev/null | (sleep 1; wc -c)`, 'sh', node, cli.program];
    const { stdout } = spawnSync('sh', [...words, ...tap('sh', '-c', 'kill -TERM $$')], { encoding: 'utf8' });
    assert.equal(Number(stdout), 300_000);
  });
});
