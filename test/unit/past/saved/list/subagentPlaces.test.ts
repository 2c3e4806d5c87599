import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SaverId } from '../../../../../src/agents/agents';
import { FileRun } from '../../../../../src/past/files/fileRun';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { ClaudeLines } from '../../../../support/claudeLines';
import { savedHomeOptions } from '../../../../support/savedHome';

const claude = '.claude/projects/-home-dev-shop';
const own = '0c5f0f0e-0000-4000-8000-000000000001';
const other = '0c5f0f0e-0000-4000-8000-000000000002';

describe('subagents of a saved session', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const turn = (path: string, session: string, agentId: string | undefined, input: number): void => {
    const more = agentId === undefined ? {} : { isSidechain: true, agentId };
    const lines = new ClaudeLines(session);
    const all = [lines.prompt('u1', 'Look', more), lines.answer('u2', `m${agentId ?? session}`, [input, 1], more)];
    write(path, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
  /** The tokens of a session with its subagents, and how many those are. */
  const found = async (agent: SaverId, id: string): Promise<readonly [number, number]> => {
    const all = new SavedSessions(savedHomeOptions(home));
    const { sessions } = await all.list(agent, { withUse: true });
    const session = sessions.find((one) => one.id === id) ?? assert.fail('no session');
    const run = new FileRun(all.open(session), { level: 'info', maxMemory: 1e7, redaction: undefined });
    await run.read();
    const subagents = run.log.spans({ kinds: ['subagent'] }).length;
    await run.dispose();
    return [(session.used ?? []).reduce((sum, { tokens }) => sum + tokens, 0), subagents];
  };

  it('of Claude Code are found in its folder, in those of workflows, and beside it', async () => {
    turn(`${claude}/${own}.jsonl`, own, undefined, 99);
    turn(`${claude}/${other}.jsonl`, other, undefined, 9);
    turn(`${claude}/${own}/subagents/agent-a1.jsonl`, own, 'a1', 999);
    turn(`${claude}/${own}/subagents/workflows/wf_1/agent-a2.jsonl`, own, 'a2', 9999);
    write(`${claude}/${own}/subagents/workflows/wf_1/journal.jsonl`, '{"type":"started","agentId":"a2"}\n');
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
    write(`.gemini/tmp/shop/chats/session-2026-11-27T12-00-${own.slice(0, 8)}.json`, session(own, 99, {}));
    write(`.gemini/tmp/shop/chats/${own}/sub1.json`, session('sub1', 999, { kind: 'subagent' }));
    assert.deepEqual(await found('gemini', own), [1100, 1]);
  });
});
