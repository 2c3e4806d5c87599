import type { Command } from './command';
import { numberOr } from './numberOr';

const stepMs = 500;

export const slowCommand: Command = {
  name: 'slow',
  description: 'Takes its time, with progress; can be cancelled.',
  hint: 'seconds, 10 if none are given',
  async run(turn) {
    const seconds = numberOr(turn.input, { least: 0, most: 3600, otherwise: 10 });
    const total = seconds * 1000;
    await turn.log('info', 'sample.model', `This takes ${seconds} s`, { seconds });
    await turn.say('Thinking…\n');
    for (let done = 0; done < total;) {
      const step = Math.min(stepMs, total - done);
      await turn.sleep(step);
      done += step;
      const percent = Math.round((100 * done) / total);
      await turn.log('debug', 'sample.model', `${percent} % done`, { elapsedMs: done, percent });
      await turn.say(`${percent} %\n`);
    }
    await turn.say('Done.');
  },
};
