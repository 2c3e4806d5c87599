import { onlyOne, parsed } from '../options';
import type { TerminalCommand } from '../terminalCommand';
import { UsageError } from '../usageError';

export interface ReplayOptions {
  /** A file, or the end of the ID of a run that a tap recorded. */
  readonly run: string;
  /** 2 is twice as fast as recorded; `Infinity` doesn't wait. */
  readonly speed: number;
  /** Whether other prompts and arguments are accepted. */
  readonly loose: boolean;
}

const options = { speed: { type: 'string' }, loose: { type: 'boolean' } } as const;

export const replay: TerminalCommand<'replay', ReplayOptions> = {
  name: 'replay',
  synopsis: '[options] RUN',
  options,
  help: `replay speaks as the recorded agent, server or stream over standard input and output, so that
a client can be tested without keys. A request that was not recorded gets an error, and the
exit code is 1. Otherwise it is that of the recording.

  --speed N          N times as fast as recorded, or max (default: 1)
  --loose            accept other prompts and arguments, in the order of the recording`,
  parse,
  run: async (given, { open }) => (await import('../replayCommand')).replay(given, await open()),
};

function parse(words: readonly string[]): ReplayOptions {
  const { values, positionals } = parsed(words, options);
  const run = onlyOne(positionals, 'Name the run to replay: a journal, a transcript or a JSON stream.', 'run');
  const speed = values.speed === 'max' ? Infinity : Number(values.speed ?? 1);
  if (!(speed > 0)) throw new UsageError('Give --speed a number above 0, or max.');
  return { run, speed, loose: values.loose ?? false };
}
