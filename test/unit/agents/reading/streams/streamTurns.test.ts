import assert from 'node:assert/strict';
import { streamed } from '../../../../support/streamWire';
import type { StreamWire } from '../../../../support/streamWire';

const session_id = 's';
const timestamp = '2026-11-20T12:00:00Z';
const init = { type: 'system', subtype: 'init', session_id };
const geminiInit = { timestamp, type: 'init', session_id, model: 'm' };
const result = { type: 'result', subtype: 'success', is_error: false, session_id };
const failed = { ...result, subtype: 'error_during_execution', is_error: true };
const prompt = { type: 'user', session_id, message: { role: 'user', content: 'go on' } };
const interrupt = { type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } };
const granted = { type: 'control_response', response: { subtype: 'success', request_id: 'r1' } };

const turnsOf = (run: StreamWire): string[] => run.lines.filter((line) => line.includes('turn:'));

describe('interrupted turns of streams', () => {
  const cancelled = 'Operation cancelled.';
  const rows: readonly (readonly [what: string, turn: string, ...messages: object[]])[] = [
    ['Claude Code', 'cancelled (aborted_tools)', { ...result, terminal_reason: 'aborted_tools' }],
    [
      'Claude Code, which claims an error',
      'cancelled (aborted_streaming)',
      { ...failed, errors: ['[ede_diagnostic] stop_reason=null'], terminal_reason: 'aborted_streaming' },
    ],
    [
      'Codex',
      'interrupted',
      ...[{ type: 'thread.started', thread_id: 'thread-1' }, { type: 'turn.started' }],
      { type: 'turn.failed', error: { message: 'turn interrupted' } },
    ],
    [
      ...(['Gemini CLI', `cancelled: FatalCancellationError: ${cancelled}`, geminiInit] as const),
      { timestamp, type: 'result', status: 'error', error: { type: 'FatalCancellationError', message: cancelled } },
    ],
  ];
  for (const [what, turn, ...messages] of rows) {
    it(`are no failures: ${what}`, () => {
      assert.equal(streamed(...messages).lines.at(-1), `notice activity turn: ${turn}`);
    });
  }

  it('are those that ran when the client asked, if any', () => {
    const idle = streamed().send(prompt, 'c2a').send(result).send(interrupt, 'c2a').send(granted);
    idle.send(prompt, 'c2a').send({ ...failed, errors: ['API Error: 500 boom'] });
    assert.equal(turnsOf(idle)[1], 'error activity turn: failed (error_during_execution): API Error: 500 boom');
    const atOnce = streamed().send(prompt, 'c2a').send(interrupt, 'c2a').send(interrupt, 'c2a').send(prompt, 'c2a');
    assert.deepEqual(turnsOf(atOnce.sends(failed, { ...failed, errors: ['no'] })), [
      'notice activity turn: cancelled',
      'error activity turn: failed (error_during_execution): no',
    ]);
    const refused = streamed().send(prompt, 'c2a').send(interrupt, 'c2a');
    refused.send({ type: 'control_response', response: { subtype: 'error', request_id: 'r1', error: 'no' } });
    assert.match(turnsOf(refused.send(failed))[0] ?? '', /^error/);
  });
});

describe('resumed stream sessions', () => {
  it('continue if another run of an ended session follows in the same file', () => {
    const runs: [object[], object][] = [
      [[init], result],
      [[{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }], { type: 'turn.completed', usage: {} }],
      [[geminiInit], { timestamp, type: 'result', status: 'success', stats: {} }],
    ];
    for (const [beginning, end] of runs) {
      const run = streamed();
      const isOver = (...lines: readonly object[]): unknown =>
        run.sends(...lines).log.sessions.map(({ ended }) => ended);
      const told = [isOver(...beginning, end), isOver(...beginning), isOver(end), isOver(...beginning.slice(-1))];
      assert.deepEqual(told, [[true], [false], [true], [false]]);
    }
  });

  const usageOf = (...messages: readonly object[]): unknown => {
    const { inputTokens, costUsd } = streamed(...messages).log.spans({ kinds: ['turn'] })[0]?.usage ?? {};
    return [inputTokens, costUsd];
  };
  const answer = (id: string, input_tokens: number): object => {
    const message = { id, role: 'assistant', content: [{ type: 'text', text: 'Done.' }], usage: { input_tokens } };
    return { type: 'assistant', session_id, parent_tool_use_id: null, message };
  };

  it("of Claude Code have the turn's own cost", () => {
    const costs = (costUSD: number): object => ({ 'claude-haiku-4-5': { costUSD } });
    const sum = { total_cost_usd: 0.4, modelUsage: costs(0.4), model_usage_since_last_result: costs(0.1) };
    const usage = { input_tokens: 20, output_tokens: 2 };
    assert.deepEqual(usageOf(init, { ...result, usage, ...sum }), [20, 0.1]);
  });

  it("of Qwen Code have the turn's own tokens", () => {
    const answers = [answer('a1', 20), answer('a1', 20), answer('a2', 30)];
    const end = { ...result, usage: { input_tokens: 1050 } };
    assert.deepEqual(usageOf({ ...init, qwen_code_version: '0.24.4' }, ...answers, end), [50, undefined]);
  });

  it('keep what a turn used that was killed', () => {
    assert.deepEqual(usageOf(init, answer('a1', 20)), [20, undefined]);
  });
});

describe("Kimi Code's standard error", () => {
  const version = { role: 'meta', type: 'system.version', version: '2.1.0' };
  const call = { type: 'function', id: 'c1', function: { name: 'Bash', arguments: '{"command":"make"}' } };
  const calls = { role: 'assistant', content: 'Let me look.', tool_calls: [call] };
  const printed = ['Error: 401 Unauthorized', '    at run (a.js:1:2)', 'ERROR: locked', ''];
  const output = `${printed.join('\n')}Command failed with exit code: 2.`;
  const ended = { role: 'tool', tool_call_id: 'c1', content: output };
  const stderrOf = ({ records }: StreamWire): string[] =>
    records.flatMap(({ kind, level, logger = '-', message }) =>
      kind === 'stderr' ? `${level} ${logger} ${message}` : [],
    );

  it('says why a turn failed, also while a tool runs', () => {
    const error = 'provider.auth_error: 401 Incorrect API key provided: sk-mock.';
    const run = streamed(version, calls).stderr(`error: failed to run prompt: ${error}`).exit(1);
    assert.deepEqual(stderrOf(run), [`error - failed to run prompt: ${error}`]);
  });

  for (const when of ['before', 'behind']) {
    it(`has what a tool printed, which is no error of Kimi Code, ${when} the tool's result`, () => {
      const run = streamed(version, calls, ...(when === 'behind' ? [ended] : []));
      for (const line of printed) run.stderr(line);
      if (when === 'before') run.send(ended);
      assert.deepEqual(stderrOf(run.quiet()), [
        'debug tool Error: 401 Unauthorized',
        'debug tool at run (a.js:1:2)',
        'debug tool ERROR: locked',
      ]);
    });
  }

  it('is read as usual otherwise', () => {
    const run = streamed(version, calls, ended).stderr('ERROR: out of disk space').quiet();
    assert.deepEqual(stderrOf(run), ['error - out of disk space']);
  });
});
