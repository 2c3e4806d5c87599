import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';
import { claude } from './claude';

/** Claude Code's command line. Not logged in, so it reports that and exits. */
export const claudePrint: RealAgent = {
  name: 'claude-print',
  protocol: 'stream-json',
  package: '@anthropic-ai/claude-code',
  version: '2.1.332',
  programPackage: `@anthropic-ai/claude-code-${process.platform}-${process.arch}`,
  program: process.platform === 'win32' ? 'claude.exe' : 'claude',
  env: { ...claude.env },
  args: ['-p', 'Hello?', '--output-format', 'stream-json', '--verbose'],
  scenarios: [{ name: 'no-login', play }],
};

async function play(trial: Trial): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await trial.ends(['error', 1]);
  const sessionId = trial.onlySession();
  checks.inOrder('the session', trial.recordsOf(sessionId), [
    { kind: 'lifecycle', level: 'info' },
    { message: /Not logged in/ },
    { logger: 'turn', level: 'error' },
  ]);
  const told = trial.diagnoses('authentication-required');
  checks.equal('how often the login is diagnosed', told.length, 1);
  checks.inOrder('the login that is missing', told, [{ level: 'error', message: /[Nn]ot logged in/ }]);
  checks.equal('how its turn ended', trial.lastTurnOf(sessionId), 'error');
  checks.equal('what is made of the exit code', trial.diagnoses('agent-ended').length, 0);
}
