import { checkSaved } from '../checkSaved';
import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';
import { kimi } from './kimi';

/** Kimi Code's command line, with a model on the loopback interface. Runs one turn and exits. */
export const kimiPrint: RealAgent = {
  ...kimi,
  name: 'kimi-print',
  protocol: 'stream-json',
  installedWith: kimi.name,
  args: ['-p', 'Run it. [[fail]]', '--output-format', 'stream-json'],
  scenarios: [
    { name: 'turn', play: playTurn },
    { name: 'server-error', model: '500', play: playStopped },
  ],
};

async function playTurn(trial: Trial): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await trial.ends(['completed', 0]);
  const sessionId = trial.onlySession();
  checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { kind: 'lifecycle', level: 'info', message: /Kimi Code 2/ },
    { logger: 'tool', level: 'info', message: /echo out/ },
    { logger: 'tool', level: 'notice', message: /failed, exit 3/ },
    { logger: 'agent', level: 'info', message: /^Hello from the mock\.$/ },
    { logger: 'turn', message: /^ended/ },
  ]);
  checks.inOrder('how the tool failed', trial.diagnoses('tool-failed'), [{ message: /exited with code 3/ }]);
  checks.equal('how its turn ended', trial.lastTurnOf(sessionId), 'ok');
  await checkSaved(trial, 'kimi', { title: 'Run it. [[fail]]', outcome: 'ok' });
}

/** It retries for minutes, and saves that it was stopped. */
async function playStopped(trial: Trial): Promise<void> {
  await trial.start();
  await trial.until({ logger: 'api', level: 'warning', message: /^status 500, retry 3 of 10/ });
  await trial.stop({ close: 0, terminate: 5000 });
  await checkSaved(trial, 'kimi', { title: 'Run it. [[fail]]', outcome: 'cancelled' });
}
