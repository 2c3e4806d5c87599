import assert from 'node:assert/strict';
import { spanProblems } from '../../../src/explorer/turns/spanProblems';
import { workKinds } from '../../../src/timeline/span';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('the problems of spans', () => {
  const tool = (title: string, status: string): object => {
    return { sessionUpdate: 'tool_call', toolCallId: title, title, status };
  };

  /** Codes by the titles of turns and tool calls. */
  const codesIn = ({ log }: DiagnosedWire): Readonly<Record<string, string | undefined>> => {
    const spans = log.spans({ kinds: workKinds });
    const found = spanProblems(spans, log.problems.all);
    return Object.fromEntries(spans.map(({ id, title }) => [title, found.get(id)?.code]));
  };

  it('are those of the turn that they are about', () => {
    const wire = DiagnosedWire.withSession();
    wire.prompt('One').refuse(-32603, 'Internal error').prompt('Two').chunk('Fine.').answer({ stopReason: 'end_turn' });
    assert.deepEqual(codesIn(wire), { One: 'failed-turn', Two: undefined });
  });

  it('are those of the call that failed, and of its turn', () => {
    const wire = DiagnosedWire.withSession().prompt('Go').update(tool('works', 'completed'));
    wire.update(tool('fails', 'failed')).answer({ stopReason: 'end_turn' });
    assert.deepEqual(codesIn(wire), { Go: 'tool-failed', works: undefined, fails: 'tool-failed' });
  });
});
