import assert from 'node:assert/strict';
import type { ChannelMethod } from '../../../../src/text/format';
import { ChannelWriter } from '../../../../src/ui/services/output/channelWriter';

class Channel implements Record<ChannelMethod, (text: string) => void> {
  readonly lines: string[] = [];
  trace = (text: string): void => void this.lines.push(`trace ${text}`);
  debug = (text: string): void => void this.lines.push(`debug ${text}`);
  info = (text: string): void => void this.lines.push(`info ${text}`);
  warn = (text: string): void => void this.lines.push(`warn ${text}`);
  error = (text: string): void => void this.lines.push(`error ${text}`);
}

describe('channel writer', () => {
  it('writes lines in order and formats them only then', () => {
    const channel = new Channel();
    const writer = new ChannelWriter(channel);
    let formatted = 0;
    for (const text of ['a', 'b']) writer.add(() => (formatted++, { method: 'info', text }));
    assert.equal(formatted, 0);
    writer.flush();
    assert.deepEqual(channel.lines, ['info a', 'info b']);
    writer.dispose();
  });

  it('drops the oldest lines in a flood, counts them, and formats none of them', () => {
    const channel = new Channel();
    const writer = new ChannelWriter(channel);
    let formatted = 0;
    for (let i = 0; i < 100_000; i++) writer.add(() => (formatted++, { method: 'debug', text: String(i) }));
    for (let i = 0; i < 10; i++) writer.flush();
    const [notice, ...lines] = channel.lines;
    const skipped = Number(/(\d+) lines skipped/.exec(notice ?? '')?.[1]);
    assert.equal(skipped + lines.length, 100_000);
    assert.equal(lines.at(-1), 'debug 99999');
    assert.equal(formatted, lines.length);
    writer.dispose();
  });

  it('writes fewer lines during a flood, ends with the newest, and recovers afterwards', () => {
    const channel = new Channel();
    const writer = new ChannelWriter(channel);
    const written = (lines: number): number => {
      const before = channel.lines.length;
      for (let i = 1; i <= lines; i++) writer.add(() => ({ method: 'info', text: String(i) }));
      writer.flush();
      return channel.lines.slice(before).filter((line) => line.startsWith('info')).length;
    };
    assert.deepEqual([written(5000), written(5000), written(5000)], [500, 60, 60]);
    assert.equal(channel.lines.at(-1), 'info 5000');
    assert.deepEqual([written(300), written(900)], [300, 500]);
    writer.dispose();
  });
});
