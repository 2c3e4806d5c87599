import assert from 'node:assert/strict';
import type { ToolFact } from '../../../src/work/tools/toolFacts';
import { turnEnded } from '../../../src/work/activity';
import { boundedActivity } from '../../../src/work/boundedActivity';
import type { WireMessage } from '../../../src/wire/wireEvent';

const event: WireMessage = { t: 1, dir: 'a2c', line: 'x'.repeat(100_000), msg: {} };

describe('bounded activities', () => {
  it('keeps both ends of a long text, and says how much is missing', () => {
    const output = `first line\n${'x'.repeat(100_000)}\nlast line`;
    const tool: ToolFact = { type: 'tool', change: 'ended', event, sessionId: 's', id: 'i'.repeat(300), output };
    const bounded = boundedActivity(tool);
    const { output: kept = '' } = bounded;
    assert.ok(/^first line\nx+\n… \(91829 characters left out\) …\nx+\nlast line$/.test(kept), kept.slice(0, 50));
    assert.equal(bounded.id?.length, 200);
    assert.equal(bounded.event, event);
  });

  it('cuts texts inside a failure', () => {
    const failure = { type: 'failed', words: 'x'.repeat(100_000), saysSuccess: false } as const;
    const ended = boundedActivity(turnEnded({ event, sessionId: 's' }, { failure }));
    assert.ok(ended.failure?.type === 'failed' && (ended.failure.words ?? '').length < 9000);
  });

  it('returns a fact with short texts as it is', () => {
    const tool: ToolFact = { type: 'tool', change: 'ended', event, sessionId: 's', id: 'i', terminals: ['t'] };
    assert.ok(boundedActivity(tool) === tool);
  });
});
