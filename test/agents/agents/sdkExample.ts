import { cancelAndCheck, checkLevels } from '../sessions';
import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

/** The example agent of ACP's TypeScript SDK: a scripted turn with two tool calls, one of which needs permission. */
export const sdkExample: RealAgent = {
  name: 'sdk-example',
  package: '@agentclientprotocol/sdk',
  version: '0.12.0',
  program: 'dist/examples/agent.js',
  scenarios: [
    { name: 'turns', play: playTurns },
    { name: 'two-sessions', play: playTwoSessions },
    { name: 'cancel', play: playCancel },
    { name: 'cancel-permission', play: playCancelPermission },
    { name: 'stop-in-turn', play: playStopInTurn },
  ],
};

async function playTurns(trial: Trial): Promise<void> {
  const { checks, permissions } = trial;
  await trial.start();
  await checkLevels(trial);
  const sessionId = await trial.newSession();
  permissions.habit = 'allow';
  checks.equal('the stop reason', await trial.prompt(sessionId, 'Change the configuration.'), 'end_turn');
  const first = trial.recordsOf(sessionId);
  checks.inOrder('the turn', first, [
    { kind: 'lifecycle', level: 'info', message: /^session created/ },
    { kind: 'activity', level: 'info', logger: 'prompt', message: /^Change the configuration\.$/ },
    { logger: 'agent', level: 'info', message: /^I'll help you with that/ },
    { logger: 'tool', level: 'info', message: /^Reading project files \(pending\)/ },
    { logger: 'tool', level: 'info', message: /^Reading project files \(completed\)/ },
    { logger: 'permission', level: 'notice', message: /^asked for: Modifying critical configuration file/ },
    { logger: 'permission', level: 'info', message: /Allow this change/ },
    { logger: 'tool', level: 'info', message: /^Modifying critical configuration file \(completed\)/ },
    { logger: 'agent', message: /successfully updated/ },
    { logger: 'turn', level: 'info', message: /end_turn$/ },
  ]);
  permissions.habit = 'reject';
  checks.equal('the stop reason', await trial.prompt(sessionId, 'And again.'), 'end_turn');
  checks.inOrder('the second turn', trial.recordsOf(sessionId).slice(first.length), [
    { logger: 'prompt', message: /^And again\.$/ },
    { logger: 'permission', level: 'notice' },
    { logger: 'permission', level: 'info', message: /Skip this change/ },
    { logger: 'agent', message: /prefer not to make that change/ },
    { logger: 'turn', message: /end_turn$/ },
  ]);
  checks.equal('how often permission was asked', permissions.asked.length, 2);
  await trial.stopsWell();
}

/** Runs two turns in parallel, whose lines are interleaved on the wire. */
async function playTwoSessions(trial: Trial): Promise<void> {
  await trial.start();
  trial.permissions.habit = 'allow';
  const prompts = ['The first.', 'The second.'];
  const sessions = [await trial.newSession(), await trial.newSession()];
  const turns = sessions.map((sessionId, i) => trial.prompt(sessionId, prompts[i] ?? ''));
  trial.checks.equal('the stop reasons', await Promise.all(turns), ['end_turn', 'end_turn']);
  for (const [i, sessionId] of sessions.entries()) {
    const records = trial.recordsOf(sessionId);
    trial.checks.equal('the number of records', records.length, 12);
    trial.checks.inOrder(`session ${i}`, records, [
      { logger: 'prompt', message: new RegExp(prompts[i] ?? '') },
      { logger: 'tool', message: /^Reading project files \(completed\)/ },
      { logger: 'permission', message: /Allow this change/ },
      { logger: 'turn', message: /end_turn$/ },
    ]);
  }
}

async function playCancel(trial: Trial): Promise<void> {
  const sessionId = await trial.open();
  const turn = trial.prompt(sessionId, 'Take your time.');
  await trial.until({ logger: 'tool' });
  await cancelAndCheck(trial, turn, { logger: 'tool', message: /pending/ });
}

async function playCancelPermission(trial: Trial): Promise<void> {
  const sessionId = await trial.open('wait');
  const turn = trial.prompt(sessionId, 'Ask me.');
  await trial.until({ logger: 'permission' });
  trial.checks.equal('what is open', trial.run.log.requests.map(({ method }) => method).sort(), [
    'session/prompt',
    'session/request_permission',
  ]);
  await trial.run.cancel({ sessionId });
  await turn; // this agent answers end_turn, although ACP requires cancelled
  trial.checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'permission', level: 'notice' },
    { logger: 'turn', message: /^cancel asked for$/ },
    { logger: 'permission', level: 'info', message: /cancelled/ },
    { logger: 'turn', message: /^ended after/ },
  ]);
}

/** The user stops the agent while it is working, which isn't an error. */
async function playStopInTurn(trial: Trial): Promise<void> {
  const { checks } = trial;
  const sessionId = await trial.open();
  const turn = trial.refusal(trial.prompt(sessionId, 'Take your time.'));
  await trial.until({ logger: 'tool' });
  checks.equal('who ended it', (await trial.stop()).terminatedBy, 'client');
  await turn;
  checks.inOrder('the session', trial.recordsOf(sessionId), [
    { logger: 'prompt' },
    { logger: 'turn', message: /^cancel asked for$/ },
    { logger: 'turn', message: /^ended after .*: cancelled$/ },
  ]);
}
