import { cancelAndCheck, checkClose, checkLevels, checkReject } from '../sessions';
import type { MockModel } from '../mockModel';
import type { RealAgent } from '../realAgent';
import type { Sandbox } from '../sandbox';
import type { Trial } from '../trial';

/** opencode, with a model on the loopback interface. */
export const opencode: RealAgent = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode',
  args: ['acp'],
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  },
  installScripts: ['opencode-ai'],
  configure: (sandbox, model) => configureOpencode(sandbox, model, 'ask'),
  scenarios: [
    { name: 'turn', play: playTurn },
    { name: 'reject', play: (trial) => checkReject(trial, 'Run it.') },
    { name: 'rate-limit', model: '429', args: ['--print-logs'], play: playRateLimit },
    { name: 'server-error', model: '500', play: playServerError },
    { name: 'cancel', model: 'hang', play: playCancel },
  ],
};

/** @param bash whether it asks before running a command */
export function configureOpencode(sandbox: Sandbox, model: MockModel, bash: 'ask' | 'allow'): void {
  sandbox.write('.config/opencode/opencode.json', opencodeSettings(model, bash));
}

/** The settings of OpenCode and of what derives from it. */
export function opencodeSettings(model: MockModel, bash: 'ask' | 'allow'): string {
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Mock',
    options: { baseURL: model.url },
    models: { mock: { name: 'mock', tool_call: true } },
  };
  const settings = {
    model: 'mock/mock',
    small_model: 'mock/mock',
    autoupdate: false,
    share: 'disabled',
    permission: { bash },
    provider: { mock: provider },
  };
  return JSON.stringify(settings);
}

async function playTurn(trial: Trial): Promise<void> {
  await trial.start();
  await checkLevels(trial);
  const sessionId = await trial.newSession();
  trial.permissions.habit = 'allow';
  trial.checks.equal('the stop reason', await trial.prompt(sessionId, 'Run it.'), 'end_turn');
  trial.checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { kind: 'lifecycle', message: /^session created/ },
    { logger: 'prompt', message: /^Run it\.$/ },
    { logger: 'tool', message: /pending/ },
    { logger: 'permission', level: 'notice' },
    { logger: 'permission', level: 'info', message: /^answered/ },
    { logger: 'tool', level: 'notice', message: /failed, exit 3/ },
    { logger: 'agent', level: 'info', message: /^Hello from the mock\.$/ },
    { logger: 'turn', level: 'info', message: /end_turn$/ },
  ]);
  trial.checks.inOrder('somebody sees that the tool failed', trial.troubles(sessionId), [{ message: /\b3\b/ }]);
  await checkClose(trial, sessionId);
  trial.checks.equal('the exit code', (await trial.stop()).exitCode, 0);
}

async function playRateLimit(trial: Trial): Promise<void> {
  const sessionId = await trial.open();
  const refusal = await trial.refusal(trial.prompt(sessionId, 'Hello?'));
  trial.checks.that('the prompt fails', /mock rate limit/.test(String(refusal)), String(refusal));
  trial.checks.inOrder('the session', trial.recordsOf(sessionId), [
    { logger: 'prompt' },
    { logger: 'turn', level: 'error', message: /mock rate limit/ },
  ]);
  trial.checks.inOrder('the connection', trial.connectionRecords, [{ kind: 'stderr' }]);
}

/** The agent retries indefinitely without reporting it, so the user cancels. */
async function playServerError(trial: Trial): Promise<void> {
  const sessionId = await trial.open();
  const turn = trial.refusal(trial.prompt(sessionId, 'Hello?'));
  await trial.wait(12_000);
  await trial.run.cancel({ sessionId });
  await turn;
  trial.checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'prompt' },
    { logger: 'turn', message: /^cancel asked for$/ },
    { logger: 'turn', message: /^ended|cancelled/ },
  ]);
}

async function playCancel(trial: Trial): Promise<void> {
  const sessionId = await trial.open();
  const turn = trial.prompt(sessionId, 'Take your time.');
  await trial.step('until it speaks', () => spoken(trial, sessionId));
  await cancelAndCheck(trial, turn, { logger: 'agent', message: /^thinking/ });
}

/** Resolves when a message starts; its record comes only once it is complete. */
function spoken({ run }: Trial, sessionId: string): Promise<void> {
  return new Promise((resolve) => {
    const listener = run.onEvent((event) => {
      if (event.dir !== 'a2c' || !event.line.includes('agent_message_chunk') || !event.line.includes(sessionId)) return;
      listener.dispose();
      resolve();
    });
  });
}
