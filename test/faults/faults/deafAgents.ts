import { inEnglish } from '../../../src/text/translator';
import { setTimeout as delay } from 'node:timers/promises';
import { ended } from '../../support/testRun';
import type { Fault } from '../fault';
import { within } from '../waiting';

const grace = { close: 300, terminate: 300 };

/** SIGKILL ends it within the stop timeout. */
export const deafAgent: Fault = {
  name: 'agent deaf to EOF and SIGTERM is stopped',
  async bringAbout(stage) {
    const run = await stage.start('deafToSigterm');
    const start = performance.now();
    const { signal } = await within(run.stop(grace), 5000, 'stop');
    return {
      sent: '1 process',
      lost: 0,
      failures: signal === 'SIGKILL' ? [] : [`ended by ${signal}`],
      note: `gone after ${Math.round(performance.now() - start)} ms`,
    };
  },
};

/** A stopped process doesn't receive SIGTERM, but SIGKILL ends it. */
export const suspendedAgent: Fault = {
  name: 'agent suspended (SIGSTOP), then stopped',
  async bringAbout(stage) {
    const run = await stage.start('promptError');
    process.kill(run.pid!, 'SIGSTOP');
    const start = performance.now();
    const { signal } = await within(run.stop(grace), 5000, 'stop');
    return {
      sent: '1 process',
      lost: 0,
      failures: signal === 'SIGKILL' || signal === 'SIGTERM' ? [] : [`ended by ${signal}`],
      note: `gone by ${signal} after ${Math.round(performance.now() - start)} ms`,
    };
  },
};

/** It can no longer answer: the run ends and says why. */
export const closedStdout: Fault = {
  name: 'agent closes stdout, lives on and is deaf to EOF',
  async bringAbout(stage) {
    const run = await stage.start('faults/agents/closesStdoutAndStays', [], { limits: { stop: grace } });
    const { message: words } = await within(ended(run), 8000, 'the end of the run');
    const message = words && inEnglish(words);
    return {
      sent: '1 process',
      lost: 0,
      failures: message === 'closed its standard output' ? [] : [`ended: ${message}`],
      note: `told: "${message}"`,
    };
  },
};

/** Pending requests fail, memory is released, and the run can be stopped. */
export const fullStdin: Fault = {
  name: 'agent stops reading while 10 MB are written to it',
  async bringAbout(stage) {
    const run = await stage.start('faults/agents/stopsReading', [], { journal: stage.journal() });
    const sessionId = await run.newSession();
    await delay(50);
    const megabyte = 'x'.repeat(1024 * 1024);
    const prompts = Array.from({ length: 10 }, () => run.prompt(sessionId, megabyte).then(String, () => 'refused'));
    await delay(300);
    const start = performance.now();
    await within(run.stop(grace), 8000, 'stop');
    const took = Math.round(performance.now() - start);
    const answers = await within(Promise.all(prompts), 1000, 'settling the prompts');
    const refused = answers.filter((answer) => answer === 'refused').length;
    return {
      sent: '10 prompts of 1 MB',
      lost: 0,
      failures: [
        ...(refused === 10 ? [] : [`${10 - refused} prompts were answered`]),
        ...(stage.problems.length === 0 ? [] : stage.problems),
      ],
      note: `stopped after ${took} ms`,
    };
  },
};
