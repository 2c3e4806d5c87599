import type { Command } from './command';
import type { Level } from './level';
import { levels } from './level';

const meanings: Readonly<Record<Level, string>> = {
  debug: 'messages that help to find a fault',
  info: 'informational messages',
  notice: 'normal but significant',
  warning: 'something may go wrong',
  error: 'something went wrong',
  critical: 'a critical condition',
  alert: 'action must be taken at once',
  emergency: 'the system is unusable',
};

export const levelsCommand: Command = {
  name: 'levels',
  description: 'Logs one message of each of the eight levels.',
  async run(turn) {
    let sent = 0;
    for (const level of levels) {
      const data = { level, severity: 7 - levels.indexOf(level) };
      if (await turn.log(level, 'sample.levels', `This is ${level}: ${meanings[level]}`, data)) sent++;
    }
    await turn.say(
      `Sent ${sent} of ${levels.length} levels; the level asked for is ${turn.session.link.logs.threshold}.`,
    );
  },
};
