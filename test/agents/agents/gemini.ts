import { checkLevels } from '../sessions';
import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

/** Gemini CLI. Without an API key, it opens no session. Exits at the end of stdin, and ignores SIGTERM. */
export const gemini: RealAgent = {
  name: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  args: ['--acp'],
  env: { GEMINI_TELEMETRY_ENABLED: 'false' },
  configure: (sandbox) => {
    const settings = {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
    };
    sandbox.write('.gemini/settings.json', JSON.stringify(settings));
  },
  scenarios: [
    { name: 'no-login', play: playNoLogin },
    { name: 'deaf', play: playDeaf },
    { name: 'hasty-stop', play: playHasty },
  ],
};

async function playNoLogin(trial: Trial): Promise<void> {
  await trial.start();
  await checkLevels(trial);
  const refusal = await trial.refusal(trial.newSession());
  trial.checks.that('the refusal tells the person', /The login was dismissed/.test(String(refusal)), String(refusal));
  trial.checks.equal('how often somebody was asked to log in', trial.logins, 1);
  trial.checks.inOrder('the connection', trial.connectionRecords, [
    { kind: 'lifecycle', message: /^initialized/ },
    { logger: 'session/new', level: 'warning', message: /\(-32000\)$/ },
  ]);
  trial.checks.equal('the exit code', (await trial.stop()).exitCode, 0);
}

/** Its launcher doesn't forward SIGTERM, so signaling only the launcher does nothing. */
async function playDeaf(trial: Trial): Promise<void> {
  await trial.start();
  process.kill(trial.pid, 'SIGTERM');
  await trial.wait(1000);
  trial.checks.equal('the state after SIGTERM', trial.run.state.type, 'running');
  trial.checks.equal('the exit code', (await trial.stop()).exitCode, 0);
}

/** Stops the agent without waiting for it to exit at the end of stdin. */
async function playHasty(trial: Trial): Promise<void> {
  await trial.start();
  const termination = await trial.stop({ close: 0, terminate: 500 });
  trial.checks.equal('who ended it', termination.terminatedBy, 'client');
  // On a fast machine, it exits before it is signalled.
  trial.checks.inOrder('the connection', trial.connectionRecords, [
    { kind: 'lifecycle', message: /its standard input was closed/ },
    { kind: 'lifecycle', message: /^(exited|ended) / },
  ]);
}
