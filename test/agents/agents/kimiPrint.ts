import { checkSaved } from '../checkSaved';
import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';
import { playTurn } from './jsonStreams';
import { kimi } from './kimi';

const title = 'Run it. [[fail]]';

/** Kimi Code's command line, with a model on the loopback interface. Runs one turn and exits. */
export const kimiPrint: RealAgent = {
  ...kimi,
  name: 'kimi-print',
  protocol: 'stream-json',
  installedWith: kimi.name,
  args: ['-p', title, '--output-format', 'stream-json'],
  scenarios: [
    { name: 'turn', play: (trial) => playTurn(trial, 'kimi', { title }) },
    { name: 'server-error', model: '500', play: playStopped },
  ],
};

/** It retries for minutes, and saves that it was stopped. */
async function playStopped(trial: Trial): Promise<void> {
  await trial.start();
  await trial.until({ logger: 'api', level: 'warning', message: /^status 500, retry 3 of 10/ });
  await trial.stop({ close: 0, terminate: 5000 });
  await checkSaved(trial, 'kimi', { title, outcome: 'cancelled' });
}
