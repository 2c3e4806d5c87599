import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { ProcessGroup } from '../../../../src/live/process/processGroup';

describe('the process group of an agent', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  async function firstLine(output: Readable): Promise<string> {
    const [chunk] = (await once(output, 'data')) as [Buffer];
    return String(chunk).trim();
  }

  it('exists until its last process is gone', async () => {
    const script = 'sleep 60 & echo $!; exec >&-; wait';
    const leader = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    child = leader;
    const other = Number(await firstLine(leader.stdout));
    const group = new ProcessGroup(leader.pid!);
    assert.equal(await group.exists(), true);
    leader.kill('SIGKILL');
    await once(leader, 'exit');
    assert.equal(await group.exists(), true);
    process.kill(other, 'SIGKILL');
    while (await group.exists());
  });

  it('does not exist if only zombies are left that nothing reaps', async function () {
    if (process.platform !== 'linux') this.skip();
    // The job has its own group, and its parent becomes a program that never waits for it.
    const reaped = 'set -m; cat <&0 & echo $!; exec sleep 60';
    const parent = spawn('bash', ['-c', reaped], { stdio: ['pipe', 'pipe', 'ignore'] });
    child = parent;
    const zombie = Number(await firstLine(parent.stdout));
    while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await new Promise(setImmediate);
    const group = new ProcessGroup(zombie);
    assert.equal(await group.exists(), true);
    parent.stdin.end();
    while (await group.exists());
    assert.equal(process.kill(-zombie, 0), true);
  });
});
