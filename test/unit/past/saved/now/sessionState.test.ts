import assert from 'node:assert/strict';
import { causeOf } from '../../../../../src/diagnosis/causes';
import { readFileSync } from 'node:fs';
import type { SaverId } from '../../../../../src/agents/agents';
import { filesFormOf, savers } from '../../../../../src/agents/agents';
import type { MarkedState } from '../../../../../src/agents/savedForm';
import type { SavedOutcome } from '../../../../../src/agents/savedDetails';
import { withId } from '../../../../../src/past/saved/savedMembers';
import type { SavedSession } from '../../../../../src/past/saved/savedSession';
import type { Ongoing } from '../../../../../src/diagnosis/sessionSummary';
import { stateOf } from '../../../../../src/past/saved/now/sessionState';
import { TurnReader } from '../../../../../src/past/saved/now/turnReader';
import { Redactor } from '../../../../../src/redact/redactor';
import { ClaudeLines } from '../../../../support/claudeLines';

const at = Date.parse('2026-11-27T10:00:00Z');
const session: SavedSession = { agent: 'claude', id: 's1', path: '/s1.jsonl', size: 1, modifiedAt: at };

describe('the state of a session', () => {
  const busy = { type: 'busy', since: 5 } as const;
  const waits = { type: 'waiting', asking: 'permission', since: 7 } as const;
  const asks = { type: 'waiting-for-person', asking: 'permission', since: 7, subject: 'Bash: npm test' };
  const tool: Ongoing = { type: 'running-tool', since: 3, title: 'Bash: npm test' };
  const rows: readonly (readonly [
    outcome: SavedOutcome | undefined,
    marked: MarkedState | 'runs' | 'ended',
    doing: Ongoing | undefined,
    state: unknown,
  ])[] = [
    ['open', 'runs', tool, { type: 'working', doing: tool }],
    ['open', 'runs', undefined, { type: 'working', doing: { type: 'waiting-for-model', since: at } }],
    ['open', 'ended', tool, { type: 'idle', at }],
    ['ok', 'runs', undefined, { type: 'done', at }],
    ['ok', busy, undefined, { type: 'working', doing: { type: 'waiting-for-model', since: 5 } }],
    ['ok', 'ended', undefined, { type: 'done', at }],
    ['error', 'ended', undefined, { type: 'failed', at, why: 'Overloaded', cause: causeOf('overloaded') }],
    ['cancelled', 'runs', undefined, { type: 'idle', at }],
    ['open', { type: 'idle', since: 5 }, tool, { type: 'idle', at }],
    ['open', waits, tool, { type: 'waiting', doing: asks }],
    [undefined, 'runs', undefined, { type: 'working', doing: { type: 'waiting-for-model', since: at } }],
    [undefined, 'ended', undefined, { type: 'idle', at }],
  ];
  for (const [outcome, marked, doing, state] of rows) {
    const by = typeof marked === 'string' ? marked : `marked ${marked.type}`;
    it(`${outcome ?? 'unknown'}, ${by}, ${doing?.type ?? 'nothing known'}`, () => {
      const known = {
        ...{ ...session, ...(marked !== 'ended' && { running: 'yes' as const }), ...(outcome && { outcome }) },
        ...(typeof marked === 'object' && { marked }),
        ...(outcome === 'error' && { problem: 'Overloaded', failure: 'overloaded' as const }),
      };
      assert.deepEqual(stateOf(known, doing), state);
    });
  }
});

describe('what an open turn does', () => {
  it('is said for each agent', () => {
    for (const { id, saved } of savers) assert.ok(saved.waits.permissions, id);
  });

  function doingIn(agent: SaverId, lines: readonly unknown[], id: string): Ongoing | undefined {
    const reader = new TurnReader(agent, new Redactor());
    reader.read(lines);
    return reader.doing(id, at);
  }

  /** A recording up to the first line with a text. */
  function upTo(agent: SaverId, fixture: string, text: string, id: string): Ongoing | undefined {
    const all = readFileSync(`test/fixtures/saved/${fixture}`, 'utf8').split('\n');
    const { naming } = filesFormOf(agent);
    const end = all.findIndex((line) => line.includes(text));
    assert.ok(end >= 0, text);
    const lines = all.slice(0, end + 1).map((line) => (naming ? withId(line, { id }, naming) : line));
    return doingIn(
      agent,
      lines.map((line): unknown => JSON.parse(line)),
      id,
    );
  }

  const asks = { type: 'waiting-for-person', asking: 'permission' };
  const runs = (title: string): object => ({ type: 'running-tool', title });
  const copilotId = '7d1c3d1e-58a5-4d4d-8a5d-1f0b5f3c2b90';
  for (const [agent, fixture, text, id, wanted] of [
    ['copilot', 'copilot-terminal', 'permission.requested', copilotId, { ...asks, subject: 'npm test' }],
    ['copilot', 'copilot-terminal', 'permission.completed', copilotId, runs('bash: npm test')],
    ['kimi', 'kimi-refused', 'interaction.request', 'session_35df17af', { ...asks, subject: 'Running: rm -rf build' }],
    ['qwen', 'qwen-tools', 'functionCall', 'a012fca8-d6f5-4092-92f4-3c1dd89fb029', runs('run_shell_command: ls')],
    ['pi', 'pi-terminal', '"role":"user"', '01a202a2-d59a-7042-9385-795460f299be', { type: 'waiting-for-model' }],
  ] as const) {
    it(`is a tool, a request for permission, or the model, in a recording: ${fixture}, ${text}`, () => {
      const { since, ...doing } = upTo(agent, `${fixture}.jsonl`, text, id) ?? assert.fail('nothing');
      assert.ok(since > 1e12);
      assert.deepEqual(doing, wanted);
    });
  }

  it('is a question or a plan while a call of a tool that asks is open', () => {
    const lines = new ClaudeLines('s1');
    const asks = (name: string, input: object): Record<string, unknown> => {
      const content = [{ type: 'tool_use', id: 't1', name, input }];
      return { message: { role: 'assistant', id: 'm1', content, usage: { input_tokens: 1, output_tokens: 1 } } };
    };
    const prompt = lines.prompt('u1', 'Choose');
    const question =
      'Which of the two? key sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhIjKlMnOpQrStUvWxYz01-AbCdEfG';
    const ask = lines.line('assistant', 'u2', asks('AskUserQuestion', { questions: [{ question, options: [] }] }));
    const doing = doingIn('claude', [prompt, ask], 's1');
    assert.ok(doing?.type === 'waiting-for-person' && doing.asking === 'answer');
    assert.match(doing.subject ?? '', /^Which of the two\?(?!.*AbCdEf)/);
    const plan = lines.line('assistant', 'u3', asks('ExitPlanMode', { plan: '1. Sort' }));
    const approval = doingIn('claude', [prompt, plan], 's1');
    assert.ok(approval?.type === 'waiting-for-person');
    assert.deepEqual([approval.asking, approval.subject], ['plan', undefined]);
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'The first.' };
    const answered = lines.prompt('u4', [result]);
    assert.equal(doingIn('claude', [prompt, ask, answered], 's1')?.type, 'waiting-for-model');
  });

  it('is no question because a tool is named like a field of every object', () => {
    const lines = new ClaudeLines('s1');
    const content = [{ type: 'tool_use', id: 't1', name: 'constructor', input: {} }];
    const call = lines.line('assistant', 'u2', { message: { role: 'assistant', id: 'm1', content } });
    assert.equal(doingIn('claude', [lines.prompt('u1', 'Go'), call], 's1')?.type, 'running-tool');
  });
});
