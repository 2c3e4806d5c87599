import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { buildSync } from 'esbuild';
import { ProcessGuardian } from '../../../../src/live/process/processGuardian';
import { signalGroup } from '../../../../src/live/process/processReaper';
import { isAlive } from '../../../support/testRun';

describe('the guardian of process groups', () => {
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach(({ pid }) => pid !== undefined && signalGroup(pid, 'SIGKILL')));

  /** A process in its own group that does nothing. */
  function group(): { pid: number; exited: Promise<unknown[]> } {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    children.push(child);
    return { pid: child.pid!, exited: once(child, 'exit') };
  }

  it('ends the groups it still watches when its input closes, and no others', async function () {
    if (process.platform === 'win32') return;
    const guardian = new ProcessGuardian();
    const [first, ended, second] = [group(), group(), group()];
    for (const { pid } of [first, ended, second]) guardian.watch(-pid);
    guardian.release(-ended.pid);
    guardian.dispose();
    for (const { exited } of [first, second]) assert.deepEqual(await exited, [null, 'SIGTERM']);
    assert.ok(isAlive(ended.pid));
  });

  it('ends a single process without the rest of its group', async function () {
    if (process.platform === 'win32') return;
    const guardian = new ProcessGuardian();
    const [watched, other] = [spawn('sleep', ['60']), spawn('sleep', ['60'])];
    children.push(other);
    guardian.watch(watched.pid!);
    guardian.dispose();
    assert.deepEqual(await once(watched, 'exit'), [null, 'SIGTERM']);
    assert.ok(isAlive(other.pid!));
    other.kill();
  });

  it("lets an agent start even if the guardian can't be started", () => {
    if (process.platform === 'win32') return;
    const entry = require.resolve('../../../../src/live/process/processGuardian');
    const bundled = { bundle: true, platform: 'node', format: 'iife', globalName: 'bundle', write: false } as const;
    const [output] = buildSync({ ...bundled, entryPoints: [entry] }).outputFiles;
    const script = [
      // Bundled: a TypeScript loader may still open files when no descriptors are left.
      output?.text,
      "const { openSync } = require('node:fs');",
      'const { ProcessGuardian } = bundle;',
      "try { for (;;) openSync('/dev/null'); } catch {}",
      'const guardian = new ProcessGuardian();',
      'for (const target of [-999999, -999998]) guardian.watch(target);',
      'setImmediate(() => { guardian.watch(999997); guardian.release(-999999); guardian.dispose(); console.log("fine"); });',
    ].join('\n');
    const limited = ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, '-e', script];
    const { stdout, stderr } = spawnSync('/bin/sh', limited, { encoding: 'utf8' });
    assert.equal(stdout, 'fine\n', stderr);
  });

  it("isn't started before there is a group, and ignores unknown groups", () => {
    const guardian = new ProcessGuardian();
    guardian.release(1);
    guardian.dispose();
  });
});
