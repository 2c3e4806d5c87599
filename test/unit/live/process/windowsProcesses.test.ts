import assert from 'node:assert/strict';
import type { ExitedProcess, RunTool } from '../../../../src/live/process/windowsProcesses';
import { endLeftBehind, endTree } from '../../../../src/live/process/windowsProcesses';

describe('leftover processes on Windows', () => {
  const agent: ExitedProcess = { pid: 100, startedAt: 50_000, exitedAt: 60_000 };

  /** The system's tools, one of which lists these processes: PID, parent, creation time. */
  function tools(...processes: readonly (readonly [pid: number, parent: number, createdAt: number])[]): {
    readonly run: RunTool;
    readonly ended: string[];
  } {
    const ended: string[] = [];
    const run: RunTool = (program, args) => {
      if (program.endsWith('\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')) {
        return Promise.resolve(processes.map((one) => `${one.join(' ')}\r\n`).join(''));
      }
      assert.match(program, /\\System32\\taskkill\.exe$/);
      ended.push(args.join(' '));
      return Promise.resolve('');
    };
    return { run, ended };
  }

  it('are killed with their descendants', async () => {
    const { run, ended } = tools(
      [4, 0, 1],
      [200, 100, 51_000],
      [300, 200, 52_000],
      [400, 300, 70_000],
      [500, 4, 55_000],
    );
    assert.equal(await endLeftBehind(agent, run), 3);
    assert.deepEqual(ended, ['/F /pid 200 /pid 300 /pid 400']);
  });

  it('exclude children of an earlier or later process with the same PID', async () => {
    const { run, ended } = tools([200, 100, 49_000], [300, 100, 60_001], [100, 4, 60_000]);
    assert.equal(await endLeftBehind(agent, run), 0);
    assert.deepEqual(ended, []);
  });

  it('exclude processes older than their supposed parent', async () => {
    const { run, ended } = tools([200, 100, 51_000], [300, 200, 50_500]);
    assert.equal(await endLeftBehind(agent, run), 1);
    assert.deepEqual(ended, ['/F /pid 200']);
  });

  it('include a child created one clock tick before the recorded start', async () => {
    const { run } = tools([200, 100, 49_990]);
    assert.equal(await endLeftBehind(agent, run), 1);
  });

  it('never include this process, and may have PID cycles', async () => {
    const { run, ended } = tools(
      [process.pid, 100, 51_000],
      [200, 100, 51_000],
      [300, 200, 51_000],
      [200, 300, 51_000],
      [7, 7, 51_000],
    );
    assert.equal(await endLeftBehind(agent, run), 2);
    assert.deepEqual(ended, ['/F /pid 200 /pid 300']);
  });

  it('are left alone if PowerShell fails; a failing taskkill is ignored', async () => {
    assert.equal(await endLeftBehind(agent, () => Promise.reject(new Error('no PowerShell'))), 0);
    assert.equal(await endLeftBehind(agent, () => Promise.resolve('Access denied\n200 100\n1 2 3 4\n')), 0);
    const { run } = tools([200, 100, 51_000]);
    const failing: RunTool = (program, args) =>
      program.endsWith('taskkill.exe') ? Promise.reject(new Error('128')) : run(program, args);
    assert.equal(await endLeftBehind(agent, failing), 1);
  });
});

describe("an agent's process tree on Windows", () => {
  it('is left to the caller if taskkill is missing or fails', () => new Promise<void>((done) => endTree(0, done)));
});
