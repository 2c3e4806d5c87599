import { FileRun } from '../past/files/fileRun';
import { messageOf } from '../text/humanError';
import { ReadTally } from '../runLog/reading/readTally';
import { collectRun } from '../share/collectRun';
import { markdownOf } from '../share/markdown/writeMarkdown';
import { choiceOf } from '../share/review/choice';
import { findIn } from '../share/review/findings';
import { machineNames } from '../share/review/machineNames';
import { Pauses } from '../share/review/pauses';
import { reviewed } from '../share/review/reviewed';
import type { SharedPageFiles } from '../share/sharedPage';
import { sharedPageModule } from '../share/sharedPage';
import { writeShared } from '../share/writeShared';
import type { ShareOptions } from './commands/share';
import type { Cli } from './context';
import { nothingIn } from './nothingRead';
import { runOf } from './runArgument';
import { UsageError } from './usageError';

/** Approximate limit for a run's records in memory, in bytes. Older ones are left out, and the page says so. */
const maxMemory = 512 * 1024 * 1024;
const usageExit = 2;
/** The program may be one file, with its parts in it: bundlers leave this to it. */
const load: (path: string) => unknown = require;

/** Prints a run as one HTML file or as Markdown, without what the preset leaves out. The exit code is 2 if the run can't be read. */
export async function share(options: ShareOptions, cli: Cli): Promise<number> {
  try {
    await printed(options, cli);
    // What a closed pipe got is no whole file.
    return cli.hasGone ? 1 : 0;
  } catch (error) {
    cli.fail(error instanceof UsageError ? error.message : `${options.run} cannot be shared: ${messageOf(error)}`);
    return usageExit;
  }
}

async function printed({ run: argument, preset, format }: ShareOptions, cli: Cli): Promise<void> {
  if (cli.isTerminal && format === 'html') throw new UsageError('This prints an HTML file: add " > run.html".');
  const info = await runOf(argument, cli);
  const tally = new ReadTally();
  const run = new FileRun(info, { level: 'debug', maxMemory, redaction: cli.redaction, follows: false, tally });
  await run.read();
  const nothing = nothingIn(run.log, tally, info.saved !== undefined);
  if (nothing !== undefined) throw new UsageError(`${argument} ${nothing}`);
  const all = await collectRun(run, { part: { type: 'run' }, now: Date.now() });
  await run.dispose();
  const pauses = new Pauses();
  const { names } = await findIn(all, machineNames(), pauses);
  const shared = await reviewed(all, choiceOf(preset), names, pauses);
  if (format === 'markdown') {
    cli.write(markdownOf(shared));
    return cli.flush();
  }
  const page = { ...(load(sharedPageModule) as SharedPageFiles), locale: 'en', translations: {} };
  for await (const piece of writeShared(shared, page)) {
    cli.write(`${piece}\n`);
    await cli.flush();
    if (cli.hasGone) return;
  }
}
