import assert from 'node:assert/strict';
import type { ChannelMethod } from '../../../../src/text/format';
import { ChannelWriter } from '../../../../src/ui/services/output/channelWriter';

describe('channel writer', () => {
  let lines: string[];
  let writer: ChannelWriter;
  beforeEach(() => {
    lines = [];
    const note = (method: ChannelMethod) => (text: string) => void lines.push(`${method} ${text}`);
    const [debug, info, error] = [note('debug'), note('info'), note('error')];
    writer = new ChannelWriter({ trace: note('trace'), debug, info, warn: note('warn'), error });
  });
  afterEach(() => writer.dispose());

  it('writes lines in order and formats them only then', () => {
    let formatted = 0;
    for (const text of ['a', 'b']) writer.add(() => (formatted++, { method: 'info', text }));
    assert.equal(formatted, 0);
    writer.flush();
    assert.deepEqual(lines, ['info a', 'info b']);
  });

  it('drops the oldest lines in a flood, counts them, and formats none of them', () => {
    let formatted = 0;
    for (let i = 0; i < 100_000; i++) writer.add(() => (formatted++, { method: 'debug', text: String(i) }));
    for (let i = 0; i < 10; i++) writer.flush();
    const [notice, ...written] = lines;
    const skipped = Number(/(\d+) lines skipped/.exec(notice ?? '')?.[1]);
    assert.deepEqual([skipped + written.length, written.at(-1)], [100_000, 'debug 99999']);
    assert.equal(formatted, written.length);
  });

  it('writes fewer lines during a flood, ends with the newest, and recovers afterwards', () => {
    const written = (count: number): number => {
      const before = lines.length;
      for (let i = 1; i <= count; i++) writer.add(() => ({ method: 'info', text: String(i) }));
      writer.flush();
      return lines.slice(before).filter((line) => line.startsWith('info')).length;
    };
    assert.deepEqual([written(5000), written(5000), written(5000)], [500, 60, 60]);
    assert.equal(lines.at(-1), 'info 5000');
    assert.deepEqual([written(300), written(900)], [300, 500]);
  });
});
