import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';
import { configureOpencode, opencode } from './opencode';

/** opencode's command line, with a model on the loopback interface. Runs one turn and exits. */
export const opencodeRun: RealAgent = {
  ...opencode,
  name: 'opencode-run',
  protocol: 'stream-json',
  installedWith: opencode.name,
  args: ['run', '--format', 'json', 'Run it.'],
  configure: (sandbox, model) => configureOpencode(sandbox, model, 'allow'),
  scenarios: [
    { name: 'turn', play: playTurn },
    { name: 'rate-limit', model: '429', args: ['--print-logs'], play: playRateLimit },
  ],
};

async function playTurn(trial: Trial): Promise<void> {
  const { checks, run } = trial;
  await trial.start();
  await trial.ends(['completed', 0]);
  checks.equal('the number of sessions', run.log.sessions.length, 1);
  checkStepsOf(trial, trial.sessionId);
}

/** Checks a turn whose tool fails. */
export function checkStepsOf(trial: Trial, sessionId: string): void {
  const { checks } = trial;
  checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'step', level: 'debug', message: /^started$/ },
    { logger: 'tool', level: 'notice', message: /echo out.*\b3\b/ },
    { logger: 'step', level: 'debug', message: /^ended: tool-calls$/ },
    { logger: 'agent', level: 'info', message: /^Hello from the mock\.$/ },
    { logger: 'turn', level: 'info', message: /^ended: stop$/ },
  ]);
  const told = trial.diagnoses('tool-failed');
  checks.equal('how often the tool is diagnosed', told.length, 1);
  checks.inOrder('how the tool failed', told, [{ level: 'warning', message: /exited with code 3/ }]);
  checks.equal('how its turn ended', trial.lastTurnOf(sessionId), 'ok');
}

/** It retries a few times, reports that only in its own logs, then gives up. */
async function playRateLimit(trial: Trial): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await trial.ends(['error', 1], 90);
  const sessionId = trial.onlySession();
  checks.inOrder('the session', trial.recordsOf(sessionId), [
    { logger: 'error', level: 'error', message: /429.*mock rate limit/ },
    { kind: 'diagnosis', logger: 'failed-turn', level: 'error', message: /mock rate limit/ },
  ]);
  checks.inOrder('the connection', trial.connectionRecords, [
    { kind: 'diagnosis', logger: 'rate-limited', level: 'warning' },
    { kind: 'stderr', level: 'error', message: /^stream error/ },
  ]);
  checks.equal('what is made of the exit code', trial.diagnoses('agent-ended').length, 0);
}
