import assert from 'node:assert/strict';
import { ClaudeLines } from '../../../../support/claudeLines';
import { counted } from '../../../../support/countedSession';

const at = (second: number): string => new Date(Date.parse('2026-11-27T10:00:00.000Z') + second * 1000).toISOString();

/** The first turn; then two processes continue the session at once: A asks, B asks, A is answered, B is answered. */
const sessions: Readonly<Record<string, readonly object[]>> = {
  'Claude Code': claude(),
  'Qwen Code': qwen(),
  pi: pi(),
  Copilot: copilot(),
};

describe('two processes in one session', () => {
  for (const [agent, lines] of Object.entries(sessions)) {
    it(`of ${agent} have each their answer`, () => {
      const { turns, sum, listed, title } = counted(lines);
      assert.deepEqual(turns, ['First: 100/10 ok', 'Ask A: 20/2 ok', 'Ask B: 30/3 ok']);
      assert.deepEqual([sum, listed, title], ['150/15', 165, 'First']);
    });
  }

  it('of Claude Code cost no more than their sums say', () => {
    const cost = (costUSD: number): object => {
      const model = { inputTokens: 1, outputTokens: 1, costUSD };
      return { type: 'cost-state', sessionId: 's', startTime: 1, modelUsage: { 'claude-sonnet-4-5': model } };
    };
    const lines = [...(sessions['Claude Code'] ?? []), cost(0.5), cost(0.4), cost(0.6)];
    assert.match(counted(lines).sum, /\$0\.6$/);
  });

  it('are told from a prompt during a turn', () => {
    const session = new ClaudeLines('s');
    const lines = [
      session.prompt('u1', 'First'),
      session.call('u2', 'm1', [100, 10]),
      session.prompt('u3', 'And this'),
      session.answer('u4', 'm2', [20, 2]),
    ];
    assert.deepEqual(
      counted(lines).turns.map((turn) => turn.replace(/ \w+$/, '')),
      ['First: 100/10', 'And this: 20/2'],
    );
  });

  it('are told from a session that was rewound', () => {
    const session = new ClaudeLines('s');
    const lines = [
      session.prompt('u1', 'First'),
      session.answer('u2', 'm1', [100, 10]),
      session.prompt('u3', 'One way'),
      session.answer('u4', 'm2', [20, 2]),
      session.after('u2').prompt('u5', 'Another way'),
      session.answer('u6', 'm3', [30, 3]),
    ];
    assert.deepEqual(counted(lines).turns, ['First: 100/10 ok', 'One way: 20/2 ok', 'Another way: 30/3 ok']);
  });
});

describe('subagents in the file of their session', () => {
  it('of Claude Code 1, which have no ID, are below the turn that started them', () => {
    const session = new ClaudeLines('s');
    const side = { isSidechain: true };
    const lines = [
      session.prompt('u1', 'Explore'),
      session.call('u2', 'm1', [100, 10], 'Task'),
      session.prompt('a1', 'Look around', side),
      session.answer('a2', 'n1', [4000, 50], side),
      session.after('u2').prompt('b1', 'Look there', side),
      session.answer('b2', 'n2', [5000, 60], side),
      session.result('u3', 'm1'),
      session.answer('u4', 'm2', [20, 2]),
    ];
    const { turns, sum } = counted(lines);
    assert.deepEqual(turns, ['Explore: 120/12 ok', '- Look around: 4000/50 ok', '- Look there: 5000/60 ok']);
    assert.equal(sum, '120/12');
  });
});

function claude(): readonly object[] {
  const session = new ClaudeLines('s');
  return [
    session.prompt('u1', 'First'),
    session.answer('u2', 'm1', [100, 10]),
    session.after('u2').prompt('a1', 'Ask A'),
    session.after('u2').prompt('b1', 'Ask B'),
    session.after('a1').answer('a2', 'm2', [20, 2]),
    session.after('b1').answer('b2', 'm3', [30, 3]),
  ];
}

function qwen(): readonly object[] {
  const line = (uuid: string, parentUuid: string | null, second: number, more: object): object => {
    const common = { uuid, parentUuid, sessionId: 's', timestamp: at(second), version: '0.24.4', cwd: '/home/dev' };
    return { ...common, provenance: 'x', ...more };
  };
  const prompt = (text: string): object => ({ type: 'user', message: { role: 'user', parts: [{ text }] } });
  const answer = (input: number, output: number): object => ({
    type: 'assistant',
    model: 'mock',
    message: { role: 'model', parts: [{ text: 'Done.' }] },
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
  });
  return [
    line('u1', null, 1, prompt('First')),
    line('u2', 'u1', 2, answer(100, 10)),
    line('a1', 'u2', 3, prompt('Ask A')),
    line('b1', 'u2', 4, prompt('Ask B')),
    line('a2', 'a1', 5, answer(20, 2)),
    line('b2', 'b1', 6, answer(30, 3)),
  ];
}

function pi(): readonly object[] {
  const message = (id: string, parentId: string | null, second: number, more: object): object => {
    return { type: 'message', id, parentId, timestamp: at(second), message: more };
  };
  const prompt = (text: string): object => ({ role: 'user', content: [{ type: 'text', text }] });
  const answer = (input: number, output: number): object => ({
    role: 'assistant',
    model: 'mock',
    content: [{ type: 'text', text: 'Done.' }],
    usage: { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output },
    stopReason: 'stop',
  });
  return [
    { type: 'session', version: 3, id: 's', timestamp: at(0), cwd: '/home/dev' },
    message('u1', null, 1, prompt('First')),
    message('u2', 'u1', 2, answer(100, 10)),
    message('a1', 'u2', 3, prompt('Ask A')),
    message('b1', 'u2', 4, prompt('Ask B')),
    message('a2', 'a1', 5, answer(20, 2)),
    message('b2', 'b1', 6, answer(30, 3)),
  ];
}

function copilot(): readonly object[] {
  let second = 0;
  const event = (id: string, parentId: string | null, type: string, data: object): object => {
    return { type, data, id, parentId, timestamp: at(second++) };
  };
  const prompt = (id: string, after: string, content: string): object => event(id, after, 'user.message', { content });
  const answer = (id: string, after: string, inputTokens: number, outputTokens: number): object[] => [
    event(`${id}u`, after, 'session.usage_record', { usage: { apiCallId: id, inputTokens, outputTokens } }),
    event(`${id}m`, `${id}u`, 'assistant.message', { content: 'Done.', toolRequests: [] }),
    event(id, `${id}m`, 'assistant.turn_end', {}),
  ];
  return [
    event('s1', null, 'session.start', { sessionId: 's', copilotVersion: '1.0.102' }),
    prompt('u1', 's1', 'First'),
    ...answer('u2', 'u1', 100, 10),
    event('ra', 'u2', 'session.resume', {}),
    event('rb', 'u2', 'session.resume', {}),
    prompt('a1', 'ra', 'Ask A'),
    prompt('b1', 'rb', 'Ask B'),
    ...answer('a2', 'a1', 20, 2),
    ...answer('b2', 'b1', 30, 3),
  ];
}
