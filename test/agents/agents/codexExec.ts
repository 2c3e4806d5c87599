import { checkSaved } from '../checkSaved';
import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';
import { configureCodex } from './codex';

/** Codex's command line, with a model on the loopback interface. Runs one turn and exits. */
export const codexExec: RealAgent = {
  name: 'codex-exec',
  protocol: 'stream-json',
  package: '@openai/codex',
  version: '0.171.0',
  program: 'codex',
  args: ['exec', '--json', '--skip-git-repo-check', 'Run it.'],
  configure: configureCodex,
  scenarios: [
    { name: 'turn', play: playTurn },
    { name: 'tapped', tapped: true, play: playTurn },
    { name: 'rate-limit', model: '429', play: playRateLimit },
    { name: 'server-error', model: '500', play: playServerError },
    { name: 'stop', model: 'hang', play: playStop },
    { name: 'killed', model: 'hang', play: playKilled },
  ],
};

async function playTurn(trial: Trial): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await trial.ends(['completed', 0]);
  const sessionId = checkSession(trial);
  checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { kind: 'lifecycle', level: 'info', message: /^thread started$/ },
    { kind: 'notice', level: 'warning', message: /metadata/ },
    { logger: 'tool', level: 'info', message: /echo out/ },
    { logger: 'tool', level: 'notice', message: /failed.*\b3\b/ },
    { logger: 'agent', level: 'info', message: /^Hello from the mock\.$/ },
    { logger: 'turn', level: 'info', message: /^ended$/ },
  ]);
  const told = trial.diagnoses('tool-failed');
  checks.equal('how often the tool is diagnosed', told.length, 1);
  checks.inOrder('how the tool failed', told, [{ level: 'warning', message: /exited with code 3/ }]);
  checks.equal('how its turn ended', trial.lastTurnOf(sessionId), 'ok');
  await checkSaved(trial, 'codex', { title: 'Run it.', outcome: 'ok' });
}

async function playRateLimit(trial: Trial): Promise<void> {
  await trial.start();
  await trial.ends(['error', 1], 90);
  const sessionId = checkSession(trial);
  trial.checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'api', level: 'warning', message: /^Reconnecting\.\.\. 1\/5.*429/ },
    { logger: 'api', level: 'warning', message: /^Reconnecting\.\.\. 5\/5.*429/ },
    { logger: 'turn', level: 'error', message: /^failed: .*429/ },
  ]);
  checkFailedTurn(trial, /429/);
  trial.checks.equal('what is made of the exit code', trial.diagnoses('agent-ended').length, 0);
  trial.checks.equal('how its turn ended', trial.lastTurnOf(sessionId), 'error');
}

async function playServerError(trial: Trial): Promise<void> {
  await trial.start();
  await trial.ends(['error', 1], 90);
  checkFailedTurn(trial, /500|high demand/);
}

/** The user stops it while it is working, which isn't an error. */
async function playStop(trial: Trial): Promise<void> {
  await trial.start();
  await trial.until({ logger: 'turn', message: /^started$/ });
  const { terminatedBy } = await trial.stop();
  trial.checks.equal('who ended it', terminatedBy, 'client');
  trial.checks.equal('how it is made to end', trial.diagnoses('slow-to-end').length, 0);
  const errors = trial.diagnoses().filter(({ level }) => level === 'error');
  trial.checks.equal('the errors that are made of it', errors.length, 0);
}

async function playKilled(trial: Trial): Promise<void> {
  await trial.start();
  await trial.until({ logger: 'turn', message: /^started$/ });
  process.kill(trial.pid, 'SIGKILL');
  const { terminatedBy, signal } = await trial.ended(10);
  trial.checks.equal('the termination', [terminatedBy, signal], ['system', 'SIGKILL']);
  trial.checks.inOrder('the connection', trial.connectionRecords, [
    { kind: 'lifecycle', level: 'error', message: /^ended by SIGKILL$/ },
  ]);
  trial.checks.equal('how its turn ended', trial.lastTurnOf(trial.sessionId), 'unanswered');
}

/** Checks that the retries are part of the one problem that they ended in. */
function checkFailedTurn(trial: Trial, message: RegExp): void {
  const problems = trial.diagnoses().filter(({ logger }) => logger !== 'model-fallback');
  trial.checks.equal('the number of problems', problems.length, 1);
  trial.checks.inOrder('the problem', problems, [{ logger: 'failed-turn', level: 'error', message }]);
}

/** Checks that there is one session, which has ended. Returns its ID. */
function checkSession({ run, checks }: Trial): string {
  const [session, ...more] = run.log.sessions;
  checks.equal('the number of sessions', 1 + more.length, 1);
  checks.equal('the session in the end', session?.ended, true);
  return session?.id ?? '';
}
