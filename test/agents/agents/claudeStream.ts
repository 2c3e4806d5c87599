import type { RealAgent } from '../realAgent';
import type { Sandbox } from '../sandbox';
import type { Trial } from '../trial';
import { checkSaved } from '../checkSaved';
import { claudeMock } from './claudeMock';
import { claudePrint } from './claudePrint';
import { playTurn } from './jsonStreams';

const prompt = 'Run it. [[fail]]';

/** Claude Code's command line, with a model on the loopback interface. */
const claudeStream: RealAgent = {
  ...claudePrint,
  name: 'claude-stream',
  installedWith: claudePrint.name,
  args: [
    ...['-p', prompt, '--output-format', 'stream-json', '--verbose'],
    ...['--include-hook-events', '--allowedTools', 'Bash'],
  ],
  ...(claudeMock.modelEnv && { modelEnv: claudeMock.modelEnv }),
  scenarios: [{ name: 'turn', play: (trial) => playTurn(trial, 'claude', { title: prompt }) }],
};

export const claudeStreams: readonly RealAgent[] = [
  claudeStream,
  { ...claudeStream, name: 'claude-hooks', configure: configureHooks, scenarios: [{ name: 'hooks', play: playHooks }] },
];

function configureHooks(sandbox: Sandbox): void {
  const hooks = (command: string): object[] => [{ hooks: [{ type: 'command', command }] }];
  const settings = {
    hooks: {
      UserPromptSubmit: hooks('echo Be brief.'),
      PreToolUse: hooks('echo Not on Fridays. >&2; exit 2'),
      Stop: hooks('exit 0'),
    },
  };
  sandbox.write('.claude/settings.json', JSON.stringify(settings));
}

/** A hook blocks the tool. */
async function playHooks(trial: Trial): Promise<void> {
  const { checks, run } = trial;
  await trial.start();
  checks.equal('the exit code', (await trial.ended()).exitCode, 0);
  const hooks = run.log.spans({ kinds: ['hook'] }).map(({ title, outcome }) => `${title}: ${outcome ?? 'open'}`);
  checks.equal('its hooks', hooks, ['UserPromptSubmit: ok', 'PreToolUse:Bash: refused', 'Stop: ok']);
  checks.inOrder('what blocked the tool', trial.diagnoses('tool-failed'), [{ message: /Not on Fridays/ }]);
  await checkSaved(trial, 'claude', { title: prompt, outcome: 'ok' });
}
