import { hasSqlite } from '../../support/databases';
import { checkSaved } from '../checkSaved';
import type { MockModel } from '../mockModel';
import type { RealAgent } from '../realAgent';
import type { Sandbox } from '../sandbox';
import type { Trial } from '../trial';
import { playTurn } from './jsonStreams';
import { opencodeSettings } from './opencode';
import { checkStepsOf } from './opencodeRun';

const prompt = 'Run it. [[fail]]';
const platform = `${process.platform}-${process.arch}`;

/** Command lines whose JSON came last. The packages of Kilo and Droid are those of their programs, of which newer ones are there than of what installs them. */
export const newStreams: readonly RealAgent[] = [
  {
    name: 'kilo-run',
    protocol: 'stream-json',
    package: `@kilocode/cli-${platform}`,
    version: '7.7.9',
    program: process.platform === 'win32' ? 'bin/kilo.exe' : 'bin/kilo',
    args: ['run', '--format', 'json', '--auto', prompt],
    configure: configureKilo,
    scenarios: [
      {
        name: 'turn',
        ...(!hasSqlite && { unable: 'its database needs Node.js 22.15 or later, also for these tests' }),
        play: playKilo,
      },
    ],
  },
  {
    name: 'droid-exec',
    protocol: 'stream-json',
    package: `@factory/cli-${platform}`,
    version: '0.225.2',
    program: process.platform === 'win32' ? 'bin/droid.exe' : 'bin/droid',
    args: ['exec', '-o', 'stream-json', '--auto', 'high', '-m', 'custom:Mock-0', prompt],
    env: { FACTORY_API_KEY: 'fk-placeholder' },
    configure: configureDroid,
    scenarios: [{ name: 'turn', play: (trial) => playTurn(trial, 'droid', { title: prompt }) }],
  },
  {
    name: 'letta-print',
    protocol: 'stream-json',
    package: '@letta-ai/letta-code',
    version: '0.32.18',
    program: 'letta',
    args: [
      ...['-p', prompt, '--backend', 'local', '--new-agent', '-m', 'openai-compatible/mock'],
      ...['--output-format', 'stream-json', '--yolo'],
    ],
    env: { LETTA_CODE_TELEM: '0' },
    needsNewerNode: true,
    // npm has none of them, or not in that version; it starts without.
    overrides: {
      '@janhapke/sharp-electron': 'npm:ws@8.19.0',
      '@letta-ai/letta-agent-sdk': 'npm:ws@8.19.0',
      '@letta-ai/trajectory': 'npm:ws@8.19.0',
    },
    configure: configureLetta,
    scenarios: [{ name: 'turn', play: (trial) => playTurn(trial, 'letta', { title: prompt }) }],
  },
  {
    name: 'continue-print',
    protocol: 'stream-json',
    package: '@continuedev/cli',
    version: '1.5.47',
    program: 'cn',
    args: ['-p', prompt, '--auto', '--format', 'json', '--config', '.continue.yaml'],
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    needsNewerNode: true,
    configure: configureContinue,
    scenarios: [{ name: 'turn', play: playAnswer }],
  },
];

/** Without a title of the model, which some runs have and others lack. */
function configureKilo(sandbox: Sandbox, model: MockModel): void {
  const settings = JSON.parse(opencodeSettings(model, 'allow')) as object;
  const agent = { title: { disable: true } };
  sandbox.write('.config/kilo/kilo.json', JSON.stringify({ ...settings, agent }));
}

function configureDroid(sandbox: Sandbox, { url }: MockModel): void {
  const model = { model: 'mock', id: 'custom:Mock-0', index: 0, displayName: 'Mock', baseUrl: url, apiKey: 'x' };
  const customModels = [{ ...model, provider: 'generic-chat-completion-api', maxOutputTokens: 8000 }];
  sandbox.write(
    '.factory/settings.json',
    JSON.stringify({ customModels, sessionDefaultSettings: { model: model.id }, cloudSessionSync: false }),
  );
}

function configureLetta(sandbox: Sandbox, { url }: MockModel): void {
  const name = 'openai-compatible';
  const at = '2026-11-28T12:00:00.000Z';
  const about = { id: `local-provider-${name}`, name, provider_type: name, provider_category: 'byok' };
  const auth = { type: 'api', key: 'placeholder' };
  const provider = { ...about, auth, base_url: url, created_at: at, updated_at: at };
  const file = JSON.stringify({ version: 1, providers: { [name]: provider } });
  sandbox.write('.letta/lc-local-backend/providers/auth.json', file);
  sandbox.write('.letta/settings.json', JSON.stringify({ preferredBackendMode: 'local' }));
}

function configureContinue(sandbox: Sandbox, { url }: MockModel): void {
  const model = { name: 'mock', provider: 'openai', model: 'mock', apiBase: url, apiKey: 'placeholder' };
  const models = [{ ...model, roles: ['chat'], capabilities: ['tool_use'] }];
  // YAML takes JSON.
  const config = JSON.stringify({ name: 'Mock', version: '1.0.0', schema: 'v1', models });
  sandbox.write('../project/.continue.yaml', config);
}

/** Offline, it waits for its list of models. It saves its prompt in quotes, after which the unnamed session is called. */
async function playKilo(trial: Trial): Promise<void> {
  await trial.start();
  await trial.ends(['completed', 0], 300);
  checkStepsOf(trial, trial.sessionId);
  await checkSaved(trial, 'kilo', { title: `"${prompt}"`, outcome: 'ok' });
}

/** It prints nothing but its answer, and saves neither times nor a title of its own. */
async function playAnswer(trial: Trial): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await trial.ends(['completed', 0]);
  const { sessionId } = trial;
  checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'agent', level: 'info', message: /^Hello from the mock\.$/ },
    { logger: 'turn', message: /^ended/ },
  ]);
  await checkSaved(trial, 'continue', { title: prompt, outcome: 'ok' });
}
