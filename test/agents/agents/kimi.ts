import { checkSaved } from '../checkSaved';
import { checkLevels, checkReject } from '../sessions';
import type { MockModel } from '../mockModel';
import type { RealAgent } from '../realAgent';
import type { Sandbox } from '../sandbox';
import type { Trial } from '../trial';

/** Kimi Code, with a model on the loopback interface. */
export const kimi: RealAgent = {
  name: 'kimi',
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  program: 'kimi',
  args: ['acp'],
  env: { KIMI_CODE_NO_AUTO_UPDATE: '1' },
  needsNewerNode: true,
  configure: configureKimi,
  scenarios: [
    { name: 'turn', play: playTurn },
    { name: 'reject', play: (trial) => checkReject(trial, '[[ask]]') },
  ],
};

function configureKimi(sandbox: Sandbox, model: MockModel): void {
  const lines = [
    'default_model = "mock/mock"',
    '[providers.mock]',
    'type = "openai"',
    `base_url = "${model.url}"`,
    'api_key = "placeholder"',
    '[models."mock/mock"]',
    'provider = "mock"',
    'model = "mock"',
    'max_context_size = 128000',
  ];
  sandbox.write('.kimi-code/config.toml', `${lines.join('\n')}\n`);
}

async function playTurn(trial: Trial): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await checkLevels(trial);
  const sessionId = await trial.newSession();
  trial.permissions.habit = 'allow';
  checks.equal('the stop reason', await trial.prompt(sessionId, 'Run it. [[fail]]'), 'end_turn');
  checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'prompt', message: /^Run it\./ },
    { logger: 'permission', level: 'info', message: /^answered/ },
    { logger: 'tool', level: 'notice', message: /failed/ },
    { logger: 'agent', level: 'info', message: /^Hello from the mock\.$/ },
    { logger: 'turn', level: 'info', message: /end_turn$/ },
  ]);
  checks.inOrder('somebody sees that the tool failed', trial.troubles(sessionId), [{ message: /\b3\b/ }]);
  checks.equal('the exit code', (await trial.stop()).exitCode, 0);
  await checkSaved(trial, 'kimi', { title: 'Run it. [[fail]]', outcome: 'ok' });
}
