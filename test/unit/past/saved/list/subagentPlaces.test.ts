import assert from 'node:assert/strict';
import type { SaverId } from '../../../../../src/agents/agents';
import { ClaudeLines } from '../../../../support/claudeLines';
import { useSavedHome } from '../../../../support/savedSuite';

const claude = '.claude/projects/-home-dev-shop';
const own = '0c5f0f0e-0000-4000-8000-000000000001';
const other = '0c5f0f0e-0000-4000-8000-000000000002';

describe('subagents of a saved session', () => {
  const home = useSavedHome();

  const turn = (path: string, session: string, agentId: string | undefined, input: number): void => {
    const more = agentId === undefined ? {} : { isSidechain: true, agentId };
    const lines = new ClaudeLines(session);
    const all = [lines.prompt('u1', 'Look', more), lines.answer('u2', `m${agentId ?? session}`, [input, 1], more)];
    home.write(path, all);
  };
  /** The tokens of a session with its subagents, and how many those are. */
  const found = async (agent: SaverId, id: string): Promise<readonly [number, number]> => {
    const all = home.sessions();
    const { sessions } = await all.list(agent, { withUse: true });
    const session = sessions.find((one) => one.id === id) ?? assert.fail('no session');
    const run = await home.opened(all.open(session));
    const { length } = run.log.spans({ kinds: ['subagent'] });
    return [(session.used ?? []).reduce((sum, { tokens }) => sum + tokens, 0), length];
  };

  it('of Claude Code are found in its folder, in those of workflows, and beside it', async () => {
    turn(`${claude}/${own}.jsonl`, own, undefined, 99);
    turn(`${claude}/${other}.jsonl`, other, undefined, 9);
    turn(`${claude}/${own}/subagents/agent-a1.jsonl`, own, 'a1', 999);
    turn(`${claude}/${own}/subagents/workflows/wf_1/agent-a2.jsonl`, own, 'a2', 9999);
    home.write(`${claude}/${own}/subagents/workflows/wf_1/journal.jsonl`, '{"type":"started","agentId":"a2"}\n');
    turn(`${claude}/agent-a3.jsonl`, own, 'a3', 99_999);
    turn(`${claude}/agent-a4.jsonl`, other, 'a4', 999_999);
    assert.deepEqual(await found('claude', own), [111_100, 3]);
    assert.deepEqual(await found('claude', other), [1_000_010, 1]);
  });

  it('of Gemini CLI may be JSON documents', async () => {
    const at = '2026-11-27T12:00:00.000Z';
    const session = (id: string, input: number, more: object): string => {
      const answer = { id: `g${id}`, timestamp: at, type: 'gemini', content: 'Done.', model: 'gemini-2.5-pro' };
      const messages = [
        { id: `u${id}`, timestamp: at, type: 'user', content: [{ text: 'Look' }] },
        { ...answer, tokens: { input, output: 1, total: input + 1 } },
      ];
      return JSON.stringify({ sessionId: id, projectHash: 'ab', startTime: at, lastUpdated: at, ...more, messages });
    };
    home.write(`.gemini/tmp/shop/chats/session-2026-11-27T12-00-${own.slice(0, 8)}.json`, session(own, 99, {}));
    home.write(`.gemini/tmp/shop/chats/${own}/sub1.json`, session('sub1', 999, { kind: 'subagent' }));
    assert.deepEqual(await found('gemini', own), [1100, 1]);
  });
});
