import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';
import { version2 } from '../version2';
import { claude } from './claude';

/** Claude Code with a model on the loopback interface. */
export const claudeMock: RealAgent = {
  ...claude,
  name: 'claude-mock',
  installedWith: claude.name,
  // Its default lets another model decide on calls.
  configure: (sandbox) =>
    sandbox.write('.claude/settings.json', JSON.stringify({ permissions: { defaultMode: 'default' } })),
  modelEnv: ({ url }) => ({
    ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ''),
    ANTHROPIC_API_KEY: 'placeholder',
  }),
  scenarios: [...version2({ depth: 2 }), { name: 'v2-background', play: playBackground }],
};

/** A command that outlives its turn is listed, and Claude Code reports its end in a turn without a prompt. */
async function playBackground(trial: Trial): Promise<void> {
  const sessionId = await trial.open('allow');
  await trial.prompt(sessionId, '[[background]]');
  await trial.until({ logger: 'agent', message: /background work has ended/ }, 30);
  await trial.wait(500);
  trial.checks.inOrder('the work', trial.recordsOf(sessionId), [
    { logger: 'background', message: /in the background: sleep 2/ },
    { logger: 'turn', message: /^ended/ },
    { logger: 'background', message: /^no background work left/ },
    { logger: 'turn', message: /^started without a prompt/ },
    { logger: 'turn', message: /^ended/ },
  ]);
}
