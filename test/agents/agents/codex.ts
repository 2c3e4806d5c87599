import { cancelAndCheck, checkClose, checkLevels } from '../sessions';
import type { MockModel } from '../mockModel';
import type { ProcessInfo } from '../processes';
import { groupMembers } from '../processes';
import type { RealAgent } from '../realAgent';
import type { Sandbox } from '../sandbox';
import type { Trial } from '../trial';
import { version2 } from '../version2';

/** Codex, with a model on the loopback interface. A child process does its work: `codex app-server`. */
export const codex: RealAgent = {
  name: 'codex',
  package: '@agentclientprotocol/codex-acp',
  version: '2.6.0',
  program: 'codex-acp',
  configure: configureCodex,
  scenarios: [
    { name: 'turn', play: playTurn },
    ...version2({ depth: 1, askingMode: 'workspace-write' }),
    { name: 'rate-limit', model: '429', play: playRateLimit },
    { name: 'cancel', model: 'hang', play: playCancel },
    { name: 'cancel-request', model: 'hang', play: playCancelRequest },
    { name: 'hasty-stop', model: 'hang', play: playHastyStop },
    { name: 'killed', model: 'hang', play: playKilled },
  ],
};

/** Configures a provider without an API key, so that no login is needed. */
export function configureCodex(sandbox: Sandbox, model: MockModel): void {
  const lines = [
    'model = "mock"',
    'model_provider = "mock"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.mock]',
    'name = "mock"',
    `base_url = "${model.url}"`,
    'wire_api = "responses"',
    'requires_openai_auth = false',
  ];
  sandbox.write('.codex/config.toml', `${lines.join('\n')}\n`);
}

async function playTurn(trial: Trial): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await checkLevels(trial);
  const sessionId = await trial.newSession();
  trial.permissions.habit = 'allow';
  checks.equal('the stop reason', await trial.prompt(sessionId, 'Run it.'), 'end_turn');
  const records = trial.recordsOf(sessionId);
  checks.inOrder('the turn', records, [
    { logger: 'prompt', message: /^Run it\.$/ },
    { logger: 'tool', level: 'info', message: /^echo out/ },
    { logger: 'tool', level: 'notice', message: /failed/ },
    { logger: 'agent', message: /^Hello from the mock\.$/ },
    { logger: 'turn', level: 'info', message: /end_turn$/ },
  ]);
  checks.inOrder('somebody sees how the tool failed', trial.troubles(sessionId), [{ message: /\b3\b/ }]);
  checks.inOrder('the notice', records, [{ kind: 'notice', level: 'warning', message: /metadata/ }]);
  await checkClose(trial, sessionId);
  await trial.stop();
  checks.that('its app-server ran', trial.group.some(isAppServer));
}

async function playRateLimit(trial: Trial): Promise<void> {
  const sessionId = await trial.open();
  await trial.refusal(trial.prompt(sessionId, 'Hello?', 90));
  // The turn ends normally; only the agent's message reports the failure.
  trial.checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'agent', message: /429/ },
    { logger: 'turn', message: /^(ended|failed) after/ },
  ]);
}

async function playCancel(trial: Trial): Promise<void> {
  const sessionId = await trial.open();
  const turn = trial.prompt(sessionId, 'Take your time.');
  await trial.until({ kind: 'notice' });
  await trial.wait(1000);
  await cancelAndCheck(trial, turn, { logger: 'agent', message: /^thinking/ });
}

/** Cancels as in ACP's "Cancellation", which this agent supports. */
async function playCancelRequest(trial: Trial): Promise<void> {
  const sessionId = await trial.open();
  const turn = trial.prompt(sessionId, 'Take your time.');
  await trial.until({ kind: 'notice' });
  const [request] = trial.run.log.requests;
  trial.checks.equal('what is open', request?.method, 'session/prompt');
  if (request) await trial.run.cancel({ requestId: request.id });
  trial.checks.equal('the stop reason', await turn, 'cancelled');
  trial.checks.inOrder('the cancel', trial.run.log.store.query(), [
    { logger: '$/cancel_request', level: 'info', message: /session\/prompt/ },
    { logger: 'turn', message: /cancelled/ },
  ]);
}

/** On SIGTERM, the agent exits immediately and leaves its child, which must get the same signal. */
async function playHastyStop(trial: Trial): Promise<void> {
  const sessionId = await trial.open();
  const turn = trial.refusal(trial.prompt(sessionId, 'Take your time.'));
  await trial.until({ kind: 'notice' });
  await trial.stop({ close: 0, terminate: 1000 });
  trial.checks.that('its app-server ran', trial.group.some(isAppServer));
  await turn;
  trial.checks.inOrder('the connection', trial.connectionRecords, [
    { kind: 'lifecycle', message: /SIGTERM/ },
    { kind: 'lifecycle', level: 'info', message: /^(exited|ended) / },
  ]);
}

/** Another process kills it during a turn: the log says so, and the child exits, too. */
async function playKilled(trial: Trial): Promise<void> {
  const { checks, run } = trial;
  const sessionId = await trial.open();
  const turn = trial.refusal(trial.prompt(sessionId, 'Take your time.'));
  await trial.until({ kind: 'notice' });
  checks.that('its app-server runs', groupMembers(trial.pid).some(isAppServer));
  process.kill(trial.pid, 'SIGKILL');
  const refusal = String(await turn);
  checks.that('the prompt fails in words for a person', /ended|killed|SIGKILL/i.test(refusal), refusal);
  await trial.until({ kind: 'lifecycle', level: 'error', message: /^ended by SIGKILL$/ }, 5);
  checks.equal('the state', run.state.type, 'ended');
  checks.inOrder('the session', trial.recordsOf(sessionId), [
    { logger: 'turn', level: 'error', message: /never answered/ },
  ]);
}

function isAppServer({ args }: ProcessInfo): boolean {
  return args.includes('app-server');
}
