import assert from 'node:assert/strict';
import { ClaudeLines } from '../../../../support/claudeLines';
import { counted } from '../../../../support/countedSession';
import { readSavedLines } from '../../../../support/savedRun';

const at = (second: number): string => new Date(Date.parse('2026-11-27T10:00:00.000Z') + second * 1000).toISOString();

describe('what a saved session spent', () => {
  it('counts records once that were saved again', () => {
    const session = new ClaudeLines('s');
    const first = [session.prompt('u1', 'One'), session.answer('u2', 'm1', [100, 10]), session.end('u3')];
    const second = [session.prompt('u4', 'Two'), session.answer('u5', 'm2', [7, 3]), session.end('u6')];
    const { turns, sum, listed } = counted([...first, ...second, ...first]);
    assert.deepEqual(turns, ['One: 100/10 ok', 'Two: 7/3 ok']);
    assert.deepEqual([sum, listed], ['107/13', 120]);
  });

  it('counts an answer once that another turn has again under another ID', () => {
    const session = new ClaudeLines('s');
    const lines = [
      session.prompt('u1', 'One'),
      session.answer('u2', 'm1', [100, 10]),
      session.prompt('u3', 'Two'),
      session.answer('u4', 'm1', [100, 10]),
      session.answer('u5', 'm2', [7, 3]),
    ];
    assert.equal(counted(lines).sum, '107/13');
  });

  it('includes each of 2,500 calls of a turn', () => {
    const session = new ClaudeLines('s');
    const calls = Array.from({ length: 2500 }, (_, n) => session.call(`c${n}`, `m${n}`, [10, 1]));
    const { sum } = counted([session.prompt('u1', 'Go on'), ...calls, session.answer('u2', 'last', [10, 1])]);
    assert.equal(sum, '25010/2501');
  });

  for (const [agent, lines] of Object.entries(killed())) {
    it(`includes what a killed turn of ${agent} used`, () => {
      assert.equal(counted(lines).sum, '100/10');
    });
  }

  it('includes what a killed turn used before the next one', () => {
    const session = new ClaudeLines('s');
    const lines = [
      session.prompt('u1', 'One'),
      session.call('u2', 'm1', [100, 10]),
      session.prompt('u3', 'Two'),
      session.answer('u4', 'm2', [7, 3]),
    ];
    const { turns, sum } = counted(lines);
    assert.deepEqual([turns.map((turn) => turn.replace(/ \w+$/, '')), sum], [['One: 100/10', 'Two: 7/3'], '107/13']);
  });

  it('has the context that a compaction between turns left', () => {
    const session = new ClaudeLines('s');
    const compactMetadata = { trigger: 'manual', preTokens: 110, postTokens: 40 };
    const lines = [
      session.prompt('u1', 'One'),
      session.answer('u2', 'm1', [100, 10]),
      session.end('u3'),
      session.line('system', 'u4', { subtype: 'compact_boundary', compactMetadata }),
    ];
    const [turn] = readSavedLines(lines.map((line) => JSON.stringify(line))).spans({ kinds: ['turn'] });
    assert.equal(turn?.usage?.contextTokens, 40);
  });
});

/** Sessions that end in a command, after an answered call of 100/10 tokens. */
function killed(): Readonly<Record<string, readonly object[]>> {
  const claude = new ClaudeLines('s');
  const codex = (second: number, type: string, payload: object): object => ({
    timestamp: at(second),
    ordinal: second,
    type,
    payload,
  });
  const copilot = (type: string, data: object): object => {
    return { type, data, id: `${type}1`, parentId: null, timestamp: at(1) };
  };
  const gemini = { input: 100, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 };
  return {
    'Claude Code': [claude.prompt('u1', 'Go'), claude.call('u2', 'm1', [100, 10])],
    Codex: [
      codex(0, 'session_meta', { id: 's', cwd: '/home/dev', cli_version: '0.171.0' }),
      codex(1, 'event_msg', { type: 'task_started' }),
      codex(2, 'token_usage_record', { response_id: 'r1', usage: { input_tokens: 100, output_tokens: 10 } }),
      codex(3, 'token_usage_record', { response_id: 'r1', usage: { input_tokens: 100, output_tokens: 10 } }),
    ],
    Copilot: [
      copilot('session.start', { sessionId: 's', copilotVersion: '1.0.102' }),
      copilot('user.message', { content: 'Go' }),
      copilot('session.usage_record', { usage: { apiCallId: 'c1', inputTokens: 100, outputTokens: 10 } }),
    ],
    Gemini: [
      { sessionId: 's', projectHash: 'ab', startTime: at(0), lastUpdated: at(0), kind: 'main' },
      { id: 'u1', timestamp: at(1), type: 'user', content: [{ text: 'Go' }] },
      { id: 'g1', timestamp: at(2), type: 'gemini', content: '', tokens: gemini, model: 'gemini-2.5-flash' },
    ],
  };
}
