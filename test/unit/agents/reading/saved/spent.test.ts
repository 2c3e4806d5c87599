import assert from 'node:assert/strict';
import { at, pi, qwen, copilot, codexLine, jsonOf } from '../../../../support/agentLines';
import { ClaudeLines } from '../../../../support/claudeLines';
import { counted } from '../../../../support/countedSession';
import { readSavedLines } from '../../../../support/savedRun';
import { TurnUsage } from '../../../../../src/protocols/agentWriter/turnUsage';

/** Sessions that end in a command, after an answered call of 100/10 tokens. */
function killed(): Readonly<Record<string, readonly object[]>> {
  const claude = new ClaudeLines('s');
  const codexUse = { response_id: 'r1', usage: { input_tokens: 100, output_tokens: 10 } };
  const tokens = { input: 100, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 };
  return {
    'Claude Code': [claude.prompt('u1', 'Go'), claude.call('u2', 'm1', [100, 10])],
    Codex: [
      codexLine(0, 'session_meta', { id: 's', cwd: '/home/dev', cli_version: '0.171.0' }),
      codexLine(1, 'event_msg', { type: 'task_started' }),
      codexLine(2, 'token_usage_record', codexUse),
      codexLine(3, 'token_usage_record', codexUse),
    ],
    Copilot: [copilot.start, copilot.prompt(1, 'Go'), copilot.call(2, 100, 10)],
    Gemini: [
      { sessionId: 's', projectHash: 'ab', startTime: at(0), lastUpdated: at(0), kind: 'main' },
      { id: 'u1', timestamp: at(1), type: 'user', content: [{ text: 'Go' }] },
      { id: 'g1', timestamp: at(2), type: 'gemini', content: '', tokens, model: 'gemini-2.5-flash' },
    ],
  };
}

/** The context after the last turn. */
function contextIn(lines: readonly object[]): number | undefined {
  return readSavedLines(jsonOf(lines))
    .spans({ kinds: ['turn'] })
    .at(-1)?.usage?.contextTokens;
}

function costState(sessionId: string, [inputTokens, outputTokens]: readonly [number, number], costUSD: number): object {
  const model = { inputTokens, outputTokens, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, costUSD };
  return { type: 'cost-state', sessionId, totalCostUSD: costUSD, modelUsage: { 'claude-sonnet-4-5': model } };
}

describe('what a saved session spent', () => {
  let session: ClaudeLines;
  beforeEach(() => (session = new ClaudeLines('s')));
  const compacted = (uuid: string): object => {
    const compactMetadata = { trigger: 'manual', preTokens: 110, postTokens: 40 };
    return session.line('system', uuid, { subtype: 'compact_boundary', compactMetadata });
  };

  it('counts records once that were saved again', () => {
    const first = [session.prompt('u1', 'One'), session.answer('u2', 'm1', [100, 10]), session.end('u3')];
    const second = [session.prompt('u4', 'Two'), session.answer('u5', 'm2', [7, 3]), session.end('u6')];
    const { turns, sum, listed } = counted([...first, ...second, ...first]);
    assert.deepEqual([turns, sum, listed], [['One: 100/10 ok', 'Two: 7/3 ok'], '107/13', 120]);
  });

  it('counts an answer once that another turn has again under another ID', () => {
    const one = [session.prompt('u1', 'One'), session.answer('u2', 'm1', [100, 10])];
    const two = [session.answer('u4', 'm1', [100, 10]), session.answer('u5', 'm2', [7, 3])];
    assert.equal(counted([...one, session.prompt('u3', 'Two'), ...two]).sum, '107/13');
  });

  it('includes each of 2,500 calls of a turn', () => {
    const usages = new TurnUsage();
    for (let n = 0; n < 2500; n++) usages.add('s', `m${n}`, { inputTokens: 10, outputTokens: 1, basis: 'turn' });
    assert.deepEqual(usages.take('s'), { inputTokens: 25_000, outputTokens: 2500 });
  });

  for (const [agent, lines] of Object.entries(killed())) {
    it(`includes what a killed turn of ${agent} used`, () => assert.equal(counted(lines).sum, '100/10'));
  }

  it('has no turn for what Claude Code itself says when a session is resumed', () => {
    const said = { content: [{ type: 'text', text: 'No response requested.' }], stop_reason: 'stop_sequence' };
    const usage = { input_tokens: 0, output_tokens: 0 };
    const message = { id: 'syn', role: 'assistant', model: '<synthetic>', ...said, usage };
    const resume = (): readonly object[] => [
      session.prompt('r1', [{ type: 'text', text: 'Continue from where you left off.' }], { isMeta: true }),
      session.answer('r2', 'syn', [0, 0], { message }),
    ];
    const done = [session.prompt('u1', 'One'), session.answer('u2', 'm1', [100, 10]), session.end('u3')];
    assert.deepEqual(counted([...done, ...resume()]).turns, ['One: 100/10 ok']);
    const open = [session.prompt('u4', 'Two'), session.call('u5', 'm2', [7, 3])];
    assert.deepEqual(counted([...open, ...resume()]).turns, ['Two: 7/3 open']);
  });

  it('includes what a killed turn used before the next one', () => {
    const one = [session.prompt('u1', 'One'), session.call('u2', 'm1', [100, 10])];
    const { turns, sum } = counted([...one, session.prompt('u3', 'Two'), session.answer('u4', 'm2', [7, 3])]);
    assert.match(turns.join(), /^One: 100\/10 \w+,Two: 7\/3 \w+$/);
    assert.equal(sum, '107/13');
  });

  for (const [name, isByUser] of [
    ['by the user, as a turn', true],
    ['within a turn', false],
  ] as const) {
    it(`includes what a compaction of Copilot CLI used: ${name}`, () => {
      const answer = [copilot.answer(5), copilot.end(6)];
      const used = { requestCount: 1, inputTokens: 7, outputTokens: 3, cacheReadTokens: 2 };
      const context = { preCompactionTokens: 110, postCompactionTokens: 40 };
      const data = { success: true, compactionAttemptId: 'x', ...context, compactionTokensUsed: used };
      const compaction = copilot.event(7, 'session.compaction_complete', data);
      const begun = [copilot.start, copilot.prompt(2, 'One'), copilot.call(3, 100, 10)];
      const lines = [...begun, ...(isByUser ? [...answer, compaction] : [compaction, ...answer])];
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
      const usage = (input: number, output: number): object => ({ ...pi.usage(input, output), cost: { total: 0.5 } });
      const { turns, sum, listed } = counted([
        pi.header,
        pi.line(1, pi.prompt('One')),
        pi.line(2, { ...pi.answer(100, 10), usage: usage(100, 10) }),
        { type, id: 'c', parentId: 'e2', timestamp: at(3), ...fields, usage: usage(7, 3) },
      ]);
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
    const event = (fields: object): object => line(3, 'context.append_loop_event', { event: fields });
    const { turns, sum, listed } = counted([
      { type: 'metadata', protocol_version: '1.5', sessionId: 's', created_at: Date.parse(at(0)) },
      line(1, 'turn.prompt', { turnId: '0', input: [{ type: 'text', text: 'One' }], origin: { kind: 'user' } }),
      line(2, 'usage.record', { model: 'm', usageScope: 'session', usage: usage(7, 3) }),
      event({ type: 'content.part', part: { type: 'text', text: 'Done.' } }),
      event({ type: 'step.end', uuid: 'u', turnId: '0', usage: usage(100, 10) }),
      line(3, 'usage.record', { model: 'm', usageScope: 'turn', usage: usage(100, 10) }),
      line(4, 'turn.ended', { turnId: '0', reason: 'completed' }),
    ]);
    assert.deepEqual([turns, sum, listed], [['One: 107/13 ok'], '107/13', 120]);
  });

  it('has the context that a compaction between turns left', () => {
    const claude = [session.prompt('u1', 'One'), session.answer('u2', 'm1', [100, 10]), session.end('u3')];
    assert.equal(contextIn([...claude, compacted('u4')]), 40);
    const info = { originalTokenCount: 110, newTokenCount: 40 };
    const own = [
      ...[qwen.prompt('One'), qwen.answer(100, 10), { type: 'user', message: { role: 'user', parts: [] } }],
      { type: 'system', subtype: 'chat_compression', systemPayload: { info } },
    ];
    assert.equal(contextIn(own.map((fields, n) => qwen.line(1, fields, `q${n}`))), 40);
  });

  it('has what only the sum of Claude Code says: the cost, and the tokens of a compaction', () => {
    const { turns, sum } = counted([
      session.prompt('u1', 'One'),
      session.answer('u2', 'm1', [100, 10]),
      costState('s', [100, 10], 0.3),
      compacted('u3'),
      costState('s', [130, 15], 0.4),
      session.prompt('u4', 'Two'),
      session.answer('u5', 'm2', [20, 2]),
      costState('s', [150, 17], 0.5),
    ]);
    assert.deepEqual(turns, ['One: 100/10 $0.3 ok', '/compact: 30/5 $0.1 ok', 'Two: 20/2 $0.1 ok']);
    assert.equal(sum, '150/17 $0.5');
  });

  it('shares the cost of a program among its turns', () => {
    const one = [session.prompt('u1', 'One'), session.answer('u2', 'm1', [100, 0]), session.end('u3')];
    const two = [session.prompt('u4', 'Two'), session.answer('u5', 'm2', [300, 0]), session.end('u6')];
    const { turns } = counted([...one, ...two, costState('s', [400, 0], 0.4)]);
    assert.deepEqual(turns, ['One: 100/0 $0.1 ok', 'Two: 300/0 $0.3 ok']);
  });

  it('has the own cost of a fork, whose sum continues that of its origin', () => {
    const fork = new ClaudeLines('fork');
    const copy = { forkedFrom: { sessionId: 'origin' } };
    const copied = [fork.prompt('u1', 'One', copy), fork.answer('u2', 'm1', [100, 10], copy)];
    const own = [fork.prompt('u3', 'Two'), fork.answer('u4', 'm2', [100, 10]), costState('fork', [200, 20], 0.6)];
    assert.deepEqual(counted([...copied, ...own]).turns, ['Two: 100/10 $0.3 ok']);
  });

  it('leaves the tokens of subagents in a sum to their own files', () => {
    const called = [session.prompt('u1', 'One'), session.call('u2', 'm1', [100, 10], 'Agent')];
    const ended = [session.result('u3', 'm1'), session.answer('u4', 'm2', [20, 2]), costState('s', [5120, 512], 0.5)];
    assert.equal(counted([...called, ...ended]).sum, '120/12 $0.5');
  });

  it("has the requests of Qwen Code's background agents and compactions", () => {
    const event = { 'event.name': 'qwen-code.api_response', input_token_count: 30, output_token_count: 3 };
    const lines = [
      qwen.prompt('One'),
      qwen.telemetry({ ...event, response_id: 'r1', prompt_id: 's########0' }),
      qwen.answer(30, 3),
      qwen.telemetry({ ...event, response_id: 'r2', subagent_name: 'managed-auto-memory-extractor' }),
      qwen.telemetry({ ...event, response_id: 'r3', prompt_id: 'compress-1795908062764' }),
    ].map((fields, n) => qwen.line(1, fields, `q${n}`));
    assert.equal(counted(lines).sum, '90/9');
    assert.equal(contextIn(lines), 33);
  });
});
