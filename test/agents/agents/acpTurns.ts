import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';
import { jsonStreams } from './jsonStreams';
import { newStreams } from './newStreams';

/** How command lines that print JSON are started for ACP. */
const args: Readonly<Record<string, readonly string[]>> = {
  'qwen-print': ['--acp', '--auth-type', 'openai'],
  'gemini-json': ['--acp', '--skip-trust', '-m', 'gemini-3.8-flash'],
  'copilot-json': ['--acp'],
  'kilo-run': ['acp'],
  'droid-exec': ['exec', '--output-format', 'acp', '-m', 'custom:Mock-0'],
  'cline-json': ['--acp'],
};

/** Cline wants a key of its own, and takes another's model only from here. */
const env: Readonly<Record<string, string>> = {
  CLINE_API_KEY: 'placeholder',
  CLINE_PROVIDER: 'openai-compatible',
  CLINE_MODEL: 'mock',
};

/** The same agents over ACP, each with one turn whose tool fails. */
export const acpTurns: readonly RealAgent[] = [...jsonStreams, ...newStreams].flatMap((agent): RealAgent[] => {
  const own = args[agent.name];
  if (!own) return [];
  const { installedWith = agent.name } = agent;
  const name = agent.name.replace(/-\w+$/, '-acp');
  return [
    {
      ...agent,
      name,
      protocol: 'acp',
      installedWith,
      args: own,
      env: { ...agent.env, ...env },
      scenarios: [{ name: 'turn', play }],
    },
  ];
});

async function play(trial: Trial): Promise<void> {
  const { checks } = trial;
  trial.permissions.habit = 'allow';
  const sessionId = await trial.open();
  checks.equal('the stop reason', await trial.prompt(sessionId, 'Run it. [[fail]]', 240), 'end_turn');
  checks.inOrder('the turn', trial.recordsOf(sessionId), [
    { logger: 'prompt', message: /^Run it\./ },
    { logger: 'tool', message: /echo out|Run a command/ },
    { logger: 'agent', level: 'info', message: /^Hello from the mock\.$/ },
    { logger: 'turn', message: /^ended/ },
  ]);
  checks.equal('how its turn ended', trial.lastTurnOf(sessionId), 'ok');
  await trial.stop();
}
