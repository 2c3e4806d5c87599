import assert from 'node:assert/strict';
import { pi, qwen, copilot, codexLine, jsonOf } from '../../../../support/agentLines';
import { forks } from '../../../../support/forkLines';
import { ClaudeLines } from '../../../../support/claudeLines';
import { counted } from '../../../../support/countedSession';
import { messagesOf, readSavedLines } from '../../../../support/savedRun';

/** The first turn; then two processes continue the session at once: A asks, B asks, A is answered, B is answered. */
const sessions: Readonly<Record<string, readonly object[]>> = {
  'Claude Code': claudeBranches(),
  'Qwen Code': branchesOf(qwen),
  pi: [pi.header, ...branchesOf(pi)],
  Copilot: copilotBranches(),
};

function branchesOf({ line, prompt, answer }: typeof qwen | typeof pi): readonly object[] {
  return [
    line(1, prompt('First'), 'u1'),
    line(2, answer(100, 10), 'u2', 'u1'),
    line(3, prompt('Ask A'), 'a1', 'u2'),
    line(4, prompt('Ask B'), 'b1', 'u2'),
    line(5, answer(20, 2), 'a2', 'a1'),
    line(6, answer(30, 3), 'b2', 'b1'),
  ];
}

function claudeBranches(): readonly object[] {
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

function copilotBranches(): readonly object[] {
  let second = 0;
  const event = (id: string, parentId: string | null, type: string, data: object): object =>
    copilot.event(second++, type, data, id, parentId);
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
    assert.match(counted([...claudeBranches(), cost(0.5), cost(0.4), cost(0.6)]).sum, /\$0\.6$/);
  });

  it('are told from a prompt during a turn, and from a session that was rewound', () => {
    const session = new ClaudeLines('s');
    const during = [
      session.prompt('u1', 'First'),
      session.call('u2', 'm1', [100, 10]),
      session.prompt('u3', 'And this'),
      session.answer('u4', 'm2', [20, 2]),
    ];
    const turns = counted(during).turns.map((turn) => turn.replace(/ \w+$/, ''));
    assert.deepEqual(turns, ['First: 100/10', 'And this: 20/2']);
    const again = new ClaudeLines('s');
    const rewound = [
      again.prompt('u1', 'First'),
      again.answer('u2', 'm1', [100, 10]),
      again.prompt('u3', 'One way'),
      again.answer('u4', 'm2', [20, 2]),
      again.after('u2').prompt('u5', 'Another way'),
      again.answer('u6', 'm3', [30, 3]),
    ];
    assert.deepEqual(counted(rewound).turns, ['First: 100/10 ok', 'One way: 20/2 ok', 'Another way: 30/3 ok']);
  });
});

describe('subagents in the file of their session', () => {
  it('of Claude Code 1, which have no ID, are below the turn that started them', () => {
    const session = new ClaudeLines('s');
    const side = { isSidechain: true };
    const { turns, sum } = counted([
      session.prompt('u1', 'Explore'),
      session.call('u2', 'm1', [100, 10], 'Task'),
      session.prompt('a1', 'Look around', side),
      session.answer('a2', 'n1', [4000, 50], side),
      session.after('u2').prompt('b1', 'Look there', side),
      session.answer('b2', 'n2', [5000, 60], side),
      session.result('u3', 'm1'),
      session.answer('u4', 'm2', [20, 2]),
    ]);
    assert.deepEqual(turns, ['Explore: 120/12 ok', '- Look around: 4000/50 ok', '- Look there: 5000/60 ok']);
    assert.equal(sum, '120/12');
  });
});

describe('a fork', () => {
  for (const [agent, lines] of Object.entries(forks)) {
    it(`of ${agent} counts only what it did itself, and shows its history`, () => {
      const { title, forkedFrom, turns, sum, listed } = counted(lines);
      const isOpenCode = agent.startsWith('OpenCode');
      assert.equal(title, isOpenCode ? 'Plan it (fork #1)' : 'Go another way');
      assert.equal(forkedFrom, isOpenCode ? '' : 'origin');
      assert.deepEqual([turns, sum, listed], [['Go another way: 7/3 ok'], '7/3', 10]);
      const records = readSavedLines(jsonOf(lines)).store.query();
      assert.ok(records.some(({ logger, message }) => logger === 'history' && message === 'Plan the shop'));
      assert.ok(records.some(({ message }) => /^forked from (?:session origin|another session)$/.test(message)));
    });
  }

  it('without a turn of its own has the title of its history', () => {
    const { title, turns } = counted(forks['Qwen Code']?.slice(0, 2) ?? []);
    assert.deepEqual([title, turns], ['Plan the shop', []]);
  });

  it('of Codex that refers to the history of its origin has a mark', () => {
    const header = { id: 'fork', cwd: '/home/dev', cli_version: '0.171.0', history_base: { thread_id: 'origin' } };
    assert.equal(counted([codexLine(75, 'session_meta', header)]).forkedFrom, 'origin');
  });

  it('says the end of the ID of its origin, also in the words of its agent', () => {
    const origin = '01a20285-8ad1-7621-822c-2b296e55f00b';
    const lines = [
      copilot.event(1, 'session.start', { sessionId: 'fork', copilotVersion: '1.0.102' }, 's', null),
      copilot.event(2, 'session.info', { infoType: 'fork', message: `Forked Shop (${origin}) as Books` }, 'i', 's'),
    ];
    assert.equal(counted(lines).forkedFrom, origin);
    const messages = messagesOf({ log: readSavedLines(jsonOf(lines)) });
    assert.ok(messages.includes('forked from session …6e55f00b'));
    assert.ok(messages.includes('Forked Shop (…6e55f00b) as Books'));
  });
});
