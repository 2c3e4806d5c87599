import type { SaverId } from '../../../src/agents/agents';
import { checkSaved } from '../checkSaved';
import type { MockModel } from '../mockModel';
import type { RealAgent } from '../realAgent';
import type { Sandbox } from '../sandbox';
import type { Trial } from '../trial';

const prompt = 'Run it.';

/** Command lines that print JSON lines, with a model on the loopback interface. Each runs one turn and exits. */
export const jsonStreams: readonly RealAgent[] = [
  {
    name: 'pi-json',
    protocol: 'stream-json',
    package: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    program: 'pi',
    args: ['--mode', 'json', '--provider', 'mock', '--model', 'mock', prompt],
    needsNewerNode: true,
    configure: configurePi,
    scenarios: [
      { name: 'turn', play: (trial) => playTurn(trial, 'pi') },
      // pi exits with 0 whatever happens.
      { name: 'server-error', model: '500', play: (trial) => playFailure(trial, 'pi', 0) },
    ],
  },
  {
    name: 'cline-json',
    protocol: 'stream-json',
    package: 'cline',
    version: '3.0.65',
    program: 'cline',
    args: ['--json', prompt],
    // Else it starts a server that outlives it.
    env: { CLINE_SESSION_BACKEND_MODE: 'local' },
    configure: configureCline,
    scenarios: [{ name: 'turn', play: (trial) => playTurn(trial, 'cline') }],
  },
  {
    name: 'qwen-print',
    protocol: 'stream-json',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    program: 'qwen',
    args: ['-p', prompt, '--output-format', 'stream-json', '--yolo', '--auth-type', 'openai'],
    env: { OPENAI_API_KEY: 'placeholder', OPENAI_MODEL: 'mock' },
    needsNewerNode: true,
    modelEnv: ({ url }) => ({ OPENAI_BASE_URL: url }),
    scenarios: [{ name: 'turn', play: (trial) => playTurn(trial, 'qwen') }],
  },
  {
    name: 'gemini-json',
    protocol: 'stream-json',
    package: '@google/gemini-cli',
    version: '0.61.0',
    installedWith: 'gemini',
    program: 'gemini',
    args: ['-p', prompt, '--output-format', 'stream-json', '--yolo', '--skip-trust', '-m', 'gemini-3.8-flash'],
    env: { GEMINI_API_KEY: 'placeholder', GEMINI_TELEMETRY_ENABLED: 'false' },
    needsNewerNode: true,
    configure: configureGemini,
    modelEnv: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url.replace(/\/v1$/, '') }),
    scenarios: [{ name: 'turn', play: (trial) => playTurn(trial, 'gemini', { tellsExit: false }) }],
  },
  {
    name: 'copilot-json',
    protocol: 'stream-json',
    package: '@github/copilot',
    version: '1.0.102',
    program: 'copilot',
    args: ['-p', prompt, '--output-format', 'json', '--allow-all-tools'],
    env: { COPILOT_PROVIDER_API_KEY: 'placeholder', COPILOT_MODEL: 'mock', COPILOT_OFFLINE: 'true' },
    needsNewerNode: true,
    modelEnv: ({ url }) => ({ COPILOT_PROVIDER_BASE_URL: url }),
    scenarios: [
      { name: 'turn', play: (trial) => playTurn(trial, 'copilot') },
      { name: 'server-error', model: '500', play: (trial) => playFailure(trial, 'copilot', 1) },
    ],
  },
];

function configurePi(sandbox: Sandbox, { url }: MockModel): void {
  const mock = { baseUrl: url, api: 'openai-completions', apiKey: 'placeholder', models: [{ id: 'mock' }] };
  sandbox.write('.pi/agent/models.json', JSON.stringify({ providers: { mock } }));
}

function configureGemini(sandbox: Sandbox): void {
  const settings = {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    security: { auth: { selectedType: 'gemini-api-key' } },
  };
  sandbox.write('.gemini/settings.json', JSON.stringify(settings));
}

function configureCline(sandbox: Sandbox, { url }: MockModel): void {
  const provider = 'openai-compatible';
  const settings = { provider, apiKey: 'placeholder', model: 'mock', baseUrl: url };
  const updatedAt = new Date().toISOString();
  const providers = { [provider]: { settings, updatedAt, tokenSource: 'manual' } };
  const file = { version: 1, lastUsedProvider: provider, modes: {}, providers };
  sandbox.write('.cline/data/settings/providers.json', JSON.stringify(file));
}

interface Expected {
  /** Of the saved session. */
  readonly title?: string;
  /** Whether its stream says that the command failed. */
  readonly tellsExit?: boolean;
  readonly seconds?: number;
}

/** Checks a turn whose tool fails, and the session that the agent saved. */
export async function playTurn(
  trial: Trial,
  agent: SaverId,
  { title = prompt, tellsExit = true, seconds }: Expected = {},
): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await trial.ends(['completed', 0], seconds);
  const sessionId = trial.onlySession();
  checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'tool', level: 'info', message: /echo out/ },
    tellsExit
      ? { logger: 'tool', level: 'notice', message: /failed, exit 3/ }
      : { logger: 'tool', level: 'info', message: /echo out.*completed/ },
    { logger: 'agent', level: 'info', message: /^Hello from the mock\.$/ },
    { logger: 'turn', message: /^ended/ },
  ]);
  const told = tellsExit ? [{ message: /exited with code 3/ }] : [];
  checks.inOrder('how the tool failed', trial.diagnoses('tool-failed'), told);
  checks.equal('how its turn ended', trial.lastTurnOf(sessionId), 'ok');
  await checkSaved(trial, agent, { title, outcome: 'ok' });
}

async function playFailure(trial: Trial, agent: SaverId, code: number): Promise<void> {
  const { checks } = trial;
  await trial.start();
  trial.checks.equal('the exit code', (await trial.ended(90)).exitCode, code);
  const { sessionId } = trial;
  checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'api', level: 'warning', message: /^status 500, retry 1/ },
    { logger: 'turn', level: 'error', message: /^failed/ },
  ]);
  checks.inOrder('the problem', trial.diagnoses('failed-turn'), [{ level: 'error', message: /500/ }]);
  checks.equal('how its turn ended', trial.lastTurnOf(sessionId), 'error');
  checks.equal('what is made of the exit code', trial.diagnoses('agent-ended').length, 0);
  await checkSaved(trial, agent, { title: prompt, outcome: 'error' });
}
