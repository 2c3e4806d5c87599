import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { Redactor } from '../../../../src/redact/redactor';
import { describeCheckUp } from '../../../../src/mcpServers/check/checkReport';
import type { CheckTarget } from '../../../../src/mcpServers/check/checkTarget';
import { checkUp } from '../../../../src/mcpServers/check/checkUp';
import { ProcessReaper } from '../../../../src/live/process/processReaper';

function target(name: string, args: readonly string[]): CheckTarget {
  const script = resolve('test/fakeAgents/mcp-checked.mjs');
  const start = { type: 'process', command: process.execPath, args: [script, ...args], env: {} } as const;
  const clients = [{ id: 'claude', label: 'Claude Code' }];
  return { name, label: name, clients, file: '/x/.mcp.json', start, cwd: tmpdir(), asksUser: false };
}

describe('the slots of a check-up', () => {
  it('does not let a server that hangs keep the others waiting, and says so', async () => {
    const targets = [target('stuck', ['hangs']), target('a', []), target('b', [])];
    const reaper = new ProcessReaper();
    const options = { reaper, redactor: new Redactor(), version: '0', env: process.env, timeout: 20_000 };
    const order: string[] = [];
    const late = new AbortController();
    const result = await checkUp(
      targets,
      { ...options, atOnce: 1, slot: 50, limit: () => late.signal },
      new AbortController().signal,
      (server) => {
        order.push(server.target.name);
        if (order.length === 2) late.abort();
      },
    );
    reaper.dispose();
    // A slot of 50 ms may end before `a` does: which of the two is first isn't told.
    assert.deepEqual([order.slice(0, 2).sort(), order[2]], [['a', 'b'], 'stuck']);
    assert.ok(result.slow > 0);
    assert.match(describeCheckUp(result), /took over 10 s didn’t keep the next from starting \(\d\)/);
  });
});
