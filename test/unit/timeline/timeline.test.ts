import assert from 'node:assert/strict';
import type { SpanQuery } from '../../../src/timeline/span';
import { column } from '../../support/columns';
import { DiagnosedWire } from '../../support/diagnosedWire';

const call = (toolCallId: string, fields: object = {}): object => {
  return { sessionUpdate: 'tool_call', toolCallId, title: `tool ${toolCallId}`, ...fields };
};
const changed = (toolCallId: string, fields: object): object => {
  return { sessionUpdate: 'tool_call_update', toolCallId, ...fields };
};

function said(wire: DiagnosedWire, query?: SpanQuery): string[] {
  return wire.log.spans(query).map(({ kind, title, outcome, detail }) => {
    const how = [outcome ?? 'open', ...(detail === undefined ? [] : [`(${detail})`])].join(' ');
    return `${kind} ${title}: ${how}`;
  });
}

const onlyWork: SpanQuery = { kinds: ['turn', 'tool', 'permission', 'subagent', 'compaction'] };

const asking = 'session/request_permission';

describe('timeline', () => {
  it('creates a span for a turn and for each tool call in it', () => {
    const wire = DiagnosedWire.withSession().prompt();
    wire.update(call('1')).wait(10);
    wire.update(changed('1', { status: 'completed' }));
    wire.update(call('2')).update(changed('2', { status: 'completed', rawOutput: { exitCode: 3 } }));
    wire.update(call('3'));
    const shown = ['tool tool 1: ok', 'tool tool 2: error (exit 3)', 'tool tool 3: open'];
    assert.deepEqual(said(wire, onlyWork).slice(1), shown);
    wire.answer({ stopReason: 'end_turn' });
    const [turn, ...tools] = wire.log.spans(onlyWork);
    assert.equal(turn?.outcome, 'ok');
    assert.ok(tools.every(({ parent }) => parent === turn.id));
    assert.equal(tools[2]?.outcome, 'unanswered');
    assert.ok((tools[0]?.endedAt ?? 0) - (tools[0]?.startedAt ?? 0) >= 10);
    assert.ok(turn.firstSeq < turn.lastSeq);
  });

  it('ignores a repeated end of a tool call', () => {
    const wire = DiagnosedWire.withSession().prompt().update(call('1'));
    wire.update(changed('1', { status: 'failed' })).update(changed('1', { status: 'failed' }));
    assert.equal(said(wire, { kinds: ['tool'] }).length, 1);
  });

  it('marks a tool as refused if the user denied permission', () => {
    const wire = DiagnosedWire.withSession().prompt().update(call('1'));
    const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' }];
    wire.asks(7, asking, { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options });
    assert.deepEqual(said(wire, { kinds: ['permission'] }), ['permission tool 1: open']);
    wire.send('c2a', { id: 7, result: { outcome: { outcome: 'selected', optionId: 'no' } } });
    wire.update(changed('1', { status: 'failed' }));
    const refused = ['tool tool 1: refused', 'permission tool 1: refused'];
    assert.deepEqual(said(wire, { kinds: ['tool', 'permission'] }), refused);
    const [tool, permission] = wire.log.spans({ kinds: ['tool', 'permission'] });
    assert.equal(permission?.parent, tool?.id);
  });

  const offered = Array.from({ length: 21 }, (_, index) => ({
    optionId: `${'x'.repeat(250)}${index}`,
    name: `Choice ${index}`,
    kind: index === 20 ? 'reject_always' : 'allow_once',
  }));
  const twice = [
    { optionId: 'a', name: 'A', kind: 'allow_once' },
    { optionId: 'a', name: 'A', kind: 'reject_once' },
  ];
  const selected = (optionId?: unknown): object => ({ outcome: { outcome: 'selected', optionId } });
  for (const [what, method, options, result, outcome, message] of [
    ['a refusal beyond the 20th', asking, offered, selected(offered[20]?.optionId), 'refused', /: Choice 20 /],
    ['an option with a long ID', asking, offered, selected(offered[1]?.optionId), 'ok', /: Choice 1 /],
    ['an option that was not offered', asking, offered, selected('no'), 'unknown', /: no, an unknown option/],
    ['no option', asking, offered, selected(), 'unknown', /: \(no option\), an unknown option/],
    ['an option without a kind', asking, [{ optionId: 'a', name: 'A' }], selected('a'), 'unknown', /: A /],
    ['two options with one ID', asking, twice, selected('a'), 'unknown', /: a, an unknown option/],
    ['no outcome', asking, offered, {}, 'unknown', /: \(no outcome\)/],
    ['a cancelled permission', asking, offered, { outcome: { outcome: 'cancelled' } }, 'cancelled', /: cancelled/],
    ['an accepted form', 'elicitation/create', [], { action: 'accept', content: {} }, 'ok', /./],
    ['an accepted form of an earlier draft', 'elicitation/create', [], { action: { action: 'accept' } }, 'ok', /./],
    ['a declined form', 'elicitation/create', [], { action: 'decline' }, 'refused', /./],
    ['a form with another answer', 'elicitation/create', [], { action: 'maybe' }, 'unknown', /./],
    ['a sampled message', 'sampling/createMessage', [], { role: 'assistant' }, 'ok', /./],
  ] as const) {
    it(`reads the answer to a question: ${what}`, () => {
      const wire = DiagnosedWire.withSession().prompt().update(call('1'));
      const params = { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options };
      wire.says({ id: 7, method, params }).send('c2a', { id: 7, result });
      const [question] = wire.log.spans({ kinds: ['permission'] });
      assert.equal(question?.outcome, outcome);
      assert.match(wire.log.store.get(wire.log.lastSeq)?.message ?? '', message);
      wire.update(changed('1', { status: 'failed' }));
      const [tool] = wire.log.spans({ kinds: ['tool'] });
      const isUnwanted = outcome === 'refused' || outcome === 'cancelled';
      assert.equal(tool?.outcome, isUnwanted ? outcome : 'error');
    });
  }

  it('ends everything with the process', () => {
    const wire = DiagnosedWire.withSession().prompt().update(call('1')).ask('session/list', {});
    wire.process({ ev: 'exit', code: 1, signal: null });
    assert.deepEqual(column(wire.log.spans(), 'outcome').slice(-3), ['unanswered', 'unanswered', 'unanswered']);
  });

  it('marks a turn as failed if the agent reports an error but answers end_turn', () => {
    const wire = DiagnosedWire.withSession().prompt();
    const codex = { threadStatus: { type: 'systemError' }, error: { message: 'no model', willRetry: false } };
    wire.update({ sessionUpdate: 'session_info_update', _meta: { codex } }).answer({ stopReason: 'end_turn' });
    assert.match(said(wire, { kinds: ['turn'] })[0] ?? '', /: error \(no model\)$/);
  });

  it('finds spans by session, kind and time, and limits them to the newest', () => {
    const wire = DiagnosedWire.withSession().prompt().update(call('1'));
    wire.update(changed('1', { status: 'completed' })).wait(100);
    wire.update(call('2'));
    const [, first] = wire.log.spans({ sessionId: 'session-1', kinds: ['turn', 'tool'] });
    assert.deepEqual(wire.log.spans({ sessionId: 'another' }), []);
    assert.deepEqual(said(wire, { kinds: ['tool'], limit: 1 }), ['tool tool 2: open']);
    assert.deepEqual(said(wire, { kinds: ['tool'], since: (first?.endedAt ?? 0) + 1 }), ['tool tool 2: open']);
  });

  it('keeps the newest 10,000 spans, counts the others, and never evicts them for requests', () => {
    const wire = DiagnosedWire.withSession().prompt();
    for (let n = 0; n < 5100; n++) wire.ask('session/list', {}).answer({ sessions: [] });
    for (let n = 0; n < 10_100; n++) wire.update(call(String(n), { status: 'completed' }));
    const spans = wire.log.spans(onlyWork);
    assert.equal(spans.length, 10_000);
    assert.equal(spans.at(-1)?.title, 'tool 10099');
    assert.equal(wire.log.droppedSpans, 101);
    assert.equal(wire.log.spans({ kinds: ['request'] }).length, 5000);
  });

  it('marks a turn as failed if only the diagnosis found the failure', () => {
    const wire = DiagnosedWire.withSession().prompt().wait(50).answer({ stopReason: 'end_turn' });
    assert.match(said(wire, { kinds: ['turn'] })[0] ?? '', /: error \(empty turn\)$/);
  });

  it('marks a turn as failed even if a queued prompt starts the next one as it ends', () => {
    const wire = DiagnosedWire.withSession().prompt().wait(50);
    const queued = { sessionId: 'session-1', prompt: [{ type: 'text', text: 'second' }] };
    wire.send('c2a', { id: 901, method: 'session/prompt', params: queued }).wait(50).answer({ stopReason: 'end_turn' });
    const [first, second] = wire.log.spans({ kinds: ['turn'] });
    assert.deepEqual([first?.outcome, first?.detail, second?.outcome], ['error', 'empty turn', undefined]);
  });

  it('starts the turn of a queued prompt when the turn before it ends', () => {
    const wire = DiagnosedWire.withSession().prompt().chunk('Done.');
    const queued = { sessionId: 'session-1', prompt: [{ type: 'text', text: 'second' }] };
    wire.wait(50).send('c2a', { id: 901, method: 'session/prompt', params: queued });
    wire.send('c2a', { id: 902, method: 'session/prompt', params: queued });
    wire.wait(50).send('a2c', { id: 902, result: { stopReason: 'cancelled' } });
    assert.equal(said(wire, { kinds: ['turn'] }).length, 1);
    wire.answer({ stopReason: 'end_turn' });
    const [first, second] = wire.log.spans({ kinds: ['turn'] });
    assert.deepEqual([first?.outcome, second?.title, second?.endedAt], ['ok', 'second', undefined]);
    assert.equal(second?.startedAt, first?.endedAt);
    wire.send('a2c', { id: 901, result: { stopReason: 'end_turn' } });
    assert.equal(said(wire, { kinds: ['turn'] }).length, 2);
  });

  it('follows a tool call that continues after its turn', () => {
    const wire = DiagnosedWire.withSession().prompt().update(call('1')).answer({ stopReason: 'end_turn' });
    assert.deepEqual(said(wire, { kinds: ['tool'] }), ['tool tool 1: unanswered']);
    wire.wait(100).update(changed('1', { status: 'completed' }));
    const [turn, tool] = wire.log.spans(onlyWork);
    assert.deepEqual([tool?.outcome, tool?.parent], ['ok', turn?.id]);
    assert.ok((tool?.endedAt ?? 0) - (tool?.startedAt ?? 0) >= 100);
  });

  it('takes the exit code of a tool call from its terminal', () => {
    const wire = DiagnosedWire.withSession().prompt();
    wire.update(call('1', { content: [{ type: 'terminal', terminalId: 'term-1' }] }));
    wire.update({ sessionUpdate: 'terminal_update', terminalId: 'term-1', exitStatus: { exitCode: 3 } });
    wire.update(changed('1', { status: 'failed' }));
    assert.deepEqual(said(wire, { kinds: ['tool'] }), ['tool tool 1: error (exit 3)']);
  });

  it('ends a question that the agent withdraws, and its tool call as cancelled', () => {
    const wire = DiagnosedWire.withSession().prompt().update(call('1'));
    wire.asks(7, asking, { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options: [] });
    wire.says({ method: '$/cancel_request', params: { requestId: 7 } }).update(changed('1', { status: 'failed' }));
    const cancelled = ['tool tool 1: cancelled', 'permission tool 1: cancelled'];
    assert.deepEqual(said(wire, { kinds: ['tool', 'permission'] }), cancelled);
  });

  it('nests the tool calls of a subagent in the call that runs it, and names tool and model', () => {
    const wire = DiagnosedWire.withSession().prompt();
    const ofClaude = (fields: object): object => ({ _meta: { claudeCode: fields } });
    wire.update({ sessionUpdate: 'usage_update', used: 1, size: 2, _meta: { '_claude/model': 'opus' } });
    wire.update(call('1', ofClaude({ toolName: 'Agent' }))).update(call('2', ofClaude({ parentToolUseId: '1' })));
    const [turn, outer, inner] = wire.log.spans(onlyWork);
    assert.deepEqual([turn?.model, outer?.toolName, inner?.parent], ['opus', 'Agent', outer?.id]);
  });

  it('has no cost for the first turn of a resumed session, whose earlier cost is unknown', () => {
    const wire = DiagnosedWire.withSession();
    const costs = (amount: number): object => {
      return { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency: 'USD' } };
    };
    const cost = (): number | undefined => wire.log.spans({ kinds: ['turn'] }).at(-1)?.usage?.costUsd;
    wire.prompt().update(costs(0.5)).answer({ stopReason: 'end_turn' });
    assert.equal(cost(), 0.5);
    wire.prompt().update(costs(0.8)).answer({ stopReason: 'end_turn' });
    assert.equal(cost(), 0.3);
    wire.ask('session/prompt', { sessionId: 'old', prompt: [] });
    wire.says({ method: 'session/update', params: { sessionId: 'old', update: costs(9) } });
    wire.answer({ stopReason: 'end_turn' });
    assert.equal(cost(), undefined);
  });
});
