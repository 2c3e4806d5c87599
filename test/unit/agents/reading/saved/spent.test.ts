import assert from 'node:assert/strict';
import { TurnUsage } from '../../../../../src/protocols/agentWriter/turnUsage';
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
    const usages = new TurnUsage();
    for (let n = 0; n < 2500; n++) usages.add('s', `m${n}`, { inputTokens: 10, outputTokens: 1, basis: 'turn' });
    assert.deepEqual(usages.take('s'), { inputTokens: 25_000, outputTokens: 2500 });
  });

  for (const [agent, lines] of Object.entries(killed())) {
    it(`includes what a killed turn of ${agent} used`, () => {
      assert.equal(counted(lines).sum, '100/10');
    });
  }

  it('has no turn for what Claude Code itself says when a session is resumed', () => {
    const session = new ClaudeLines('s');
    const resume = (): readonly object[] => [
      session.prompt('r1', [{ type: 'text', text: 'Continue from where you left off.' }], { isMeta: true }),
      session.answer('r2', 'syn', [0, 0], {
        message: {
          id: 'syn',
          role: 'assistant',
          model: '<synthetic>',
          content: [{ type: 'text', text: 'No response requested.' }],
          stop_reason: 'stop_sequence',
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      }),
    ];
    const done = [session.prompt('u1', 'One'), session.answer('u2', 'm1', [100, 10]), session.end('u3')];
    assert.deepEqual(counted([...done, ...resume()]).turns, ['One: 100/10 ok']);
    const killed = [session.prompt('u4', 'Two'), session.call('u5', 'm2', [7, 3])];
    assert.deepEqual(counted([...killed, ...resume()]).turns, ['Two: 7/3 open']);
  });

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

  for (const [name, isByUser] of [
    ['by the user, as a turn', true],
    ['within a turn', false],
  ] as const) {
    it(`includes what a compaction of Copilot CLI used: ${name}`, () => {
      const event = (second: number, type: string, data: object): object => {
        return { type, data, id: `e${second}`, timestamp: at(second), parentId: null };
      };
      const call = (second: number, inputTokens: number, outputTokens: number): object =>
        event(second, 'session.usage_record', {
          usage: { model: 'm', inputTokens, outputTokens, apiCallId: `c${second}` },
        });
      const answer = [
        event(5, 'assistant.message', { content: 'Done.', toolRequests: [] }),
        event(6, 'assistant.turn_end', { turnId: '0' }),
      ];
      const compaction = event(7, 'session.compaction_complete', {
        success: true,
        compactionAttemptId: 'x',
        preCompactionTokens: 110,
        postCompactionTokens: 40,
        compactionTokensUsed: { requestCount: 1, inputTokens: 7, outputTokens: 3, cacheReadTokens: 2 },
      });
      const lines = [
        event(1, 'session.start', { sessionId: 's', copilotVersion: '1.0.102' }),
        event(2, 'user.message', { content: 'One' }),
        call(3, 100, 10),
        ...(isByUser ? [...answer, compaction] : [compaction, ...answer]),
      ];
      const { turns, sum, listed } = counted(lines);
      assert.deepEqual(turns, isByUser ? ['One: 100/10 ok', '/compact: 7/3 ok'] : ['One: 107/13 ok']);
      assert.deepEqual([sum, listed, contextIn(lines)], ['107/13', 120, 40]);
    });
  }

  for (const [type, fields, title] of [
    ['compaction', { summary: 'S', tokensBefore: 110 }, 'compaction'],
    ['branch_summary', { summary: 'S', fromId: 'x' }, 'branch summary'],
    ['usage', { kind: 'cache_warm', provider: 'p', model: 'm' }, 'cache warm'],
  ] as const) {
    it(`includes what pi used besides its answers: ${type}`, () => {
      const usage = (input: number, output: number): object => {
        return { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output, cost: { total: 0.5 } };
      };
      const message = (id: string, second: number, more: object): object => {
        return { type: 'message', id, parentId: null, timestamp: at(second), message: more };
      };
      const lines = [
        { type: 'session', version: 3, id: 's', timestamp: at(0), cwd: '/home/dev' },
        message('m1', 1, { role: 'user', content: [{ type: 'text', text: 'One' }] }),
        message('m2', 2, {
          role: 'assistant',
          content: [{ type: 'text', text: 'Done.' }],
          usage: usage(100, 10),
          stopReason: 'stop',
        }),
        { type, id: 'c', parentId: 'm2', timestamp: at(3), ...fields, usage: usage(7, 3) },
      ];
      const { turns, sum, listed } = counted(lines);
      assert.deepEqual(turns, ['One: 100/10 $0.5 ok', `${title}: 7/3 $0.5 ok`]);
      assert.deepEqual([sum, listed], ['107/13 $1', 120]);
    });
  }

  it('includes what a compaction of Kimi Code used, once', () => {
    const usage = (inputOther: number, output: number): object => {
      return { inputOther, output, inputCacheRead: 0, inputCacheCreation: 0 };
    };
    const line = (second: number, type: string, fields: object): object => {
      return { type, agentId: 'main', time: Date.parse(at(second)), ...fields };
    };
    const lines = [
      { type: 'metadata', protocol_version: '1.5', sessionId: 's', created_at: Date.parse(at(0)) },
      line(1, 'turn.prompt', { turnId: '0', input: [{ type: 'text', text: 'One' }], origin: { kind: 'user' } }),
      line(2, 'usage.record', { model: 'm', usageScope: 'session', usage: usage(7, 3) }),
      line(3, 'context.append_loop_event', { event: { type: 'content.part', part: { type: 'text', text: 'Done.' } } }),
      line(3, 'context.append_loop_event', {
        event: { type: 'step.end', uuid: 'u', turnId: '0', usage: usage(100, 10) },
      }),
      line(3, 'usage.record', { model: 'm', usageScope: 'turn', usage: usage(100, 10) }),
      line(4, 'turn.ended', { turnId: '0', reason: 'completed' }),
    ];
    const { turns, sum, listed } = counted(lines);
    assert.deepEqual([turns, sum, listed], [['One: 107/13 ok'], '107/13', 120]);
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
    assert.equal(contextIn(lines), 40);
    const common = { sessionId: 's', timestamp: at(1), version: '0.24.4', provenance: 'x' };
    const compressed = { originalTokenCount: 110, newTokenCount: 40 };
    const qwen = [
      { ...common, uuid: 'q1', type: 'user', message: { role: 'user', parts: [{ text: 'One' }] } },
      {
        ...common,
        uuid: 'q2',
        type: 'assistant',
        message: { role: 'model', parts: [{ text: 'Done.' }] },
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10 },
      },
      { ...common, uuid: 'q3', type: 'user', message: { role: 'user', parts: [] } },
      { ...common, uuid: 'q4', type: 'system', subtype: 'chat_compression', systemPayload: { info: compressed } },
    ];
    assert.equal(contextIn(qwen), 40);
  });

  it('has what only the sum of Claude Code says: the cost, and the tokens of a compaction', () => {
    const session = new ClaudeLines('s');
    const compactMetadata = { trigger: 'manual', preTokens: 110, postTokens: 40 };
    const lines = [
      session.prompt('u1', 'One'),
      session.answer('u2', 'm1', [100, 10]),
      costState('s', [100, 10], 0.3),
      session.line('system', 'u3', { subtype: 'compact_boundary', compactMetadata }),
      costState('s', [130, 15], 0.4),
      session.prompt('u4', 'Two'),
      session.answer('u5', 'm2', [20, 2]),
      costState('s', [150, 17], 0.5),
    ];
    const { turns, sum } = counted(lines);
    assert.deepEqual(turns, ['One: 100/10 $0.3 ok', '/compact: 30/5 $0.1 ok', 'Two: 20/2 $0.1 ok']);
    assert.equal(sum, '150/17 $0.5');
  });

  it('shares the cost of a program among its turns', () => {
    const session = new ClaudeLines('s');
    const lines = [
      session.prompt('u1', 'One'),
      session.answer('u2', 'm1', [100, 0]),
      session.end('u3'),
      session.prompt('u4', 'Two'),
      session.answer('u5', 'm2', [300, 0]),
      session.end('u6'),
      costState('s', [400, 0], 0.4),
    ];
    assert.deepEqual(counted(lines).turns, ['One: 100/0 $0.1 ok', 'Two: 300/0 $0.3 ok']);
  });

  it('has the own cost of a fork, whose sum continues that of its origin', () => {
    const session = new ClaudeLines('fork');
    const copy = { forkedFrom: { sessionId: 'origin' } };
    const lines = [
      session.prompt('u1', 'One', copy),
      session.answer('u2', 'm1', [100, 10], copy),
      session.prompt('u3', 'Two'),
      session.answer('u4', 'm2', [100, 10]),
      costState('fork', [200, 20], 0.6),
    ];
    assert.deepEqual(counted(lines).turns, ['Two: 100/10 $0.3 ok']);
  });

  it('leaves the tokens of subagents in a sum to their own files', () => {
    const session = new ClaudeLines('s');
    const lines = [
      session.prompt('u1', 'One'),
      session.call('u2', 'm1', [100, 10], 'Agent'),
      session.result('u3', 'm1'),
      session.answer('u4', 'm2', [20, 2]),
      costState('s', [5120, 512], 0.5),
    ];
    assert.equal(counted(lines).sum, '120/12 $0.5');
  });

  it("has the requests of Qwen Code's background agents and compactions", () => {
    const common = { sessionId: 's', timestamp: at(1), version: '0.24.4', provenance: 'x' };
    const event = { 'event.name': 'qwen-code.api_response', input_token_count: 30, output_token_count: 3 };
    const telemetry = { type: 'system', subtype: 'ui_telemetry' };
    const own = { ...event, response_id: 'r1', prompt_id: 's########0' };
    const compaction = { ...event, response_id: 'r3', prompt_id: 'compress-1795908062764' };
    const other = { ...event, response_id: 'r2', subagent_name: 'managed-auto-memory-extractor' };
    const lines = [
      { ...common, uuid: 'q1', type: 'user', message: { role: 'user', parts: [{ text: 'One' }] } },
      { ...common, uuid: 'q2', ...telemetry, systemPayload: { uiEvent: own } },
      {
        ...common,
        uuid: 'q3',
        type: 'assistant',
        message: { role: 'model', parts: [{ text: 'Done.' }] },
        usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 3 },
      },
      { ...common, uuid: 'q4', ...telemetry, systemPayload: { uiEvent: other } },
      { ...common, uuid: 'q5', ...telemetry, systemPayload: { uiEvent: compaction } },
    ];
    assert.equal(counted(lines).sum, '90/9');
    assert.equal(contextIn(lines), 33);
  });
});

function contextIn(lines: readonly object[]): number | undefined {
  const turns = readSavedLines(lines.map((line) => JSON.stringify(line))).spans({ kinds: ['turn'] });
  return turns.at(-1)?.usage?.contextTokens;
}

function costState(sessionId: string, [inputTokens, outputTokens]: readonly [number, number], costUSD: number): object {
  const model = { inputTokens, outputTokens, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, costUSD };
  return { type: 'cost-state', sessionId, totalCostUSD: costUSD, modelUsage: { 'claude-sonnet-4-5': model } };
}

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
