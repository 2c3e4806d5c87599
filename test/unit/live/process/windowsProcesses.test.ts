import assert from 'node:assert/strict';
import type { ExitedProcess, RunTool } from '../../../../src/live/process/windowsProcesses';
import { endLeftBehind, endTree } from '../../../../src/live/process/windowsProcesses';

describe('leftover processes on Windows', () => {
  const agent: ExitedProcess = { pid: 100, startedAt: 50_000, exitedAt: 60_000 };

  /** The system's tools, one of which lists these processes: PID, parent, creation time. */
  function tools(processes: string): { readonly run: RunTool; readonly ended: string[] } {
    const ended: string[] = [];
    const run: RunTool = (program, args) => {
      if (program.endsWith('\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')) {
        return Promise.resolve(`${processes.replaceAll(', ', '\r\n')}\r\n`);
      }
      assert.match(program, /\\System32\\taskkill\.exe$/);
      ended.push(args.join(' '));
      return Promise.resolve('');
    };
    return { run, ended };
  }

  const rows: readonly (readonly [what: string, processes: string, killed: readonly number[]])[] = [
    ['with their descendants', '4 0 1, 200 100 51000, 300 200 52000, 400 300 70000, 500 4 55000', [200, 300, 400]],
    ['but no children of another process with the PID', '200 100 49000, 300 100 60001, 100 4 60000', []],
    ['but none that is older than its supposed parent', '200 100 51000, 300 200 50500', [200]],
    ['also if created one clock tick before the recorded start', '200 100 49990', [200]],
    ['but never this process', `${process.pid} 100 51000`, []],
    ['once if PIDs form a cycle', '200 100 51000, 300 200 51000, 200 300 51000, 7 7 51000', [200, 300]],
  ];
  for (const [what, processes, killed] of rows) {
    it(`are killed, ${what}`, async () => {
      const { run, ended } = tools(processes);
      assert.equal(await endLeftBehind(agent, run), killed.length);
      const words = ['/F', ...killed.map((pid) => `/pid ${pid}`)].join(' ');
      assert.deepEqual(ended, killed.length === 0 ? [] : [words]);
    });
  }

  it('are left alone if PowerShell fails; a failing taskkill is ignored', async () => {
    assert.equal(await endLeftBehind(agent, () => Promise.reject(new Error('no PowerShell'))), 0);
    assert.equal(await endLeftBehind(agent, () => Promise.resolve('Access denied\n200 100\n1 2 3 4\n')), 0);
    const { run } = tools('200 100 51000');
    const failing: RunTool = (program, args) =>
      program.endsWith('taskkill.exe') ? Promise.reject(new Error('128')) : run(program, args);
    assert.equal(await endLeftBehind(agent, failing), 1);
  });
});

describe("an agent's process tree on Windows", () => {
  it('is left to the caller if taskkill is missing or fails', () => new Promise<void>((done) => endTree(0, done)));
});
