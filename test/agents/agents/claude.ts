import { checkClose, checkLevels } from '../sessions';
import { groupMembers } from '../processes';
import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

/** Claude Code. Without a login, it opens sessions but refuses every prompt. */
export const claude: RealAgent = {
  name: 'claude',
  package: '@agentclientprotocol/claude-agent-acp',
  version: '0.101.0',
  program: 'claude-agent-acp',
  env: {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
  },
  needsNewerNode: true,
  scenarios: [{ name: 'no-login', play }],
};

async function play(trial: Trial): Promise<void> {
  await trial.start();
  await checkLevels(trial);
  const sessionId = await trial.newSession();
  const refusal = await trial.refusal(trial.prompt(sessionId, 'Hello?'));
  trial.checks.that('the prompt is refused', /Authentication required/i.test(String(refusal)), String(refusal));
  trial.checks.inOrder('the session', trial.recordsOf(sessionId), [
    { kind: 'lifecycle', message: /^session created/ },
    { logger: 'prompt', level: 'info' },
    { logger: 'turn', level: 'warning', message: /Authentication required.*\(-32000\)$/ },
  ]);
  const own = groupMembers(trial.pid).filter(({ pid }) => pid !== trial.pid);
  trial.checks.that('a process of its own ran', own.length > 0);
  await checkClose(trial, sessionId);
  const termination = await trial.stop();
  trial.checks.equal('the exit code', termination.exitCode, 0);
}
