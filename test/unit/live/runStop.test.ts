import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { Exit } from '../../../src/live/process/agentProcess';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { Run } from '../../../src/live/run';

describe('stopping a run', () => {
  it('settles if the agent exits by itself meanwhile', async () => {
    let end: (exit: Exit) => void = () => undefined;
    const ended = new Promise<Exit>((resolve) => (end = resolve));
    const stop = { close: 10, terminate: 10 };
    const timeouts = { initializeTimeout: 1000, waitingNotice: 1000, stop };
    const run = new Run({
      id: 'r',
      agent: { name: 'A', protocol: 'acp', command: 'a', args: [], env: {} },
      spec: { command: 'a', args: [], env: {}, cwd: '/' },
      level: 'info',
      limits: { maxLineBytes: 1000, maxMessageBytes: 1000, maxMemory: 1e6, ...timeouts },
      interpretation: (sink) => interpretation('acp', sink),
      redactor: undefined,
      connect: () =>
        Promise.resolve({
          client: {
            initialize: () => Promise.resolve({}),
            setLevel: () => Promise.resolve('unsupported' as const),
            cancelRequest: () => Promise.resolve(),
            prepareStop: async () => {
              end({ code: 0, signal: null });
              await turn();
            },
            finish: () => Promise.resolve(),
          },
          pid: 1,
          ended,
          stop: () => undefined,
        }),
      now: Date.now,
    });
    await run.start({ token: new CancellationTokenSource().token, onWaiting: () => undefined });
    const termination = await run.stop();
    assert.equal(termination.terminatedBy, 'client');
    assert.equal(run.state.type, 'ended');
  });
});
