import assert from 'node:assert/strict';
import { Timeline } from '../../../src/timeline/timeline';
import { Work } from '../../../src/work/work';

const event = (t: number) => ({ t, dir: 'a2c', line: '' }) as const;

describe('open steps', () => {
  it('give up the oldest of too many', () => {
    const timeline = new Timeline();
    const work = new Work(timeline);
    for (let n = 0; n < 1500; n++) {
      const about = { change: 'started', id: String(n), title: `span ${n}`, error: undefined } as const;
      work.see({ type: 'span', event: event(n), sessionId: 's', ...about });
    }
    const spans = timeline.query();
    assert.equal(spans.length, 1500);
    const running = spans.filter(({ endedAt }) => endedAt === undefined);
    assert.equal(running.length, 1000);
    const [oldest] = spans;
    assert.deepEqual([oldest?.outcome, oldest?.endedAt], ['unanswered', 1000]);
  });
});
