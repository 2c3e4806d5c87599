import type { Command } from './command';
import { numberOr } from './numberOr';

/** So many messages are handed over at once. After that the output has to keep up, and a cancel can come in. */
const batchSize = 500;

export const floodCommand: Command = {
  name: 'flood',
  description: 'Logs many messages of level info as fast as the client takes them.',
  hint: 'how many, 1000 if none is given',
  async run(turn) {
    const total = Math.floor(numberOr(turn.input, { least: 0, most: 10_000_000, otherwise: 1000 }));
    const startedAt = turn.host.clock.now().getTime();
    let sent = 0;
    for (let first = 1; first <= total; first += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, total - first + 1) }, (_, index) => first + index);
      const results = await Promise.all(
        batch.map((n) => turn.log('info', 'sample.flood', `Message ${n} of ${total}`, { n, of: total })),
      );
      sent += results.filter(Boolean).length;
      await turn.host.clock.yield();
      turn.signal.throwIfAborted();
    }
    const seconds = (turn.host.clock.now().getTime() - startedAt) / 1000;
    await turn.say(`Sent ${sent} of ${total} messages in ${seconds.toFixed(1)} s.`);
  },
};
