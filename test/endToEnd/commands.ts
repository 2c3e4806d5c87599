import { delimiter, dirname } from 'node:path';
import { recordOf } from '../support/testRun';
import type { Scenario } from './scenario';

/** Arguments that a shell or a batch file could change. */
const difficult = ['two words', 'say "hello"', 'a^b', 'a&b|c', '<in >out', 'C:\\a b\\', '!bang!', 'Grüße ✓', ''];

const percentSigns = ['100%', '%PATH%', '%%x%%'];

/** A command found on PATH, which logs the arguments it gets. */
function passesArguments(name: string, command: string, args: readonly string[]): Scenario {
  return {
    name,
    async play({ runs, commands }) {
      const path = [commands, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
      const run = await runs.start(command, { spec: { command, args, env: { PATH: path } } });
      const { data } = await recordOf(run, ({ message }) => message === 'arguments');
      await run.stop();
      const received = data as readonly string[];
      return args.map((arg, index) => (received[index] === arg ? `same: ${arg}` : `${arg} became ${received[index]}`));
    },
  };
}

export const commandScenarios: readonly Scenario[] = [
  passesArguments(
    'a command that npm installed gets its arguments unchanged',
    'npmAgent',
    difficult.concat(percentSigns),
  ),
  passesArguments('a batch file gets its arguments unchanged', 'batchAgent', difficult),
  {
    ...passesArguments('a batch file gets percent signs unchanged', 'batchAgent', percentSigns),
    notUnderWine: "its cmd.exe doesn't know a variable's empty substring (%cd:~,%)",
  },
];
