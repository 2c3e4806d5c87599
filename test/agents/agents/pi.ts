import { checkLevels } from '../sessions';
import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

/** An adapter for `pi`, which isn't installed here: it starts, but can't open a session. */
export const pi: RealAgent = {
  name: 'pi',
  package: 'pi-acp',
  version: '0.0.34',
  program: 'pi-acp',
  scenarios: [{ name: 'no-session', play }],
};

async function play(trial: Trial): Promise<void> {
  await trial.start();
  await checkLevels(trial);
  const refusal = await trial.refusal(trial.newSession());
  trial.checks.that('the refusal says what is missing', /\bpi\b/.test(String(refusal)), String(refusal));
  trial.checks.inOrder('the connection', trial.connectionRecords, [
    { kind: 'lifecycle', message: /^initialized/ },
    { logger: 'session/new', level: 'error', message: /^failed/ },
  ]);
  trial.checks.equal('how often somebody was asked to log in', trial.logins, 0);
  trial.checks.equal('the exit code', (await trial.stop()).exitCode, 0);
}
