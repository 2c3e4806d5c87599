import { version } from '../../package.json';
import { messageOf } from '../text/humanError';
import { checkUpJson, describeCheckUp, hasErrors } from '../mcpServers/check/checkReport';
import { checkTimeout } from '../mcpServers/check/checkUp';
import { PreparedCheckUp } from '../mcpServers/check/preparedCheckUp';
import { ProcessReaper } from '../live/process/processReaper';
import { Cancelled } from '../time/waiting';
import { JournalFolder } from '../wire/journal/journalFolder';
import { tapFolder } from '../wire/journal/tapFolder';
import type { CheckMcpOptions } from './commands/checkMcp';
import type { Cli } from './context';

const errorExit = 1;
const usageExit = 2;
/** 128 plus the number of SIGINT. */
const interruptedExit = 130;

/** Checks the configured MCP servers and reports on them. The exit code is 1 for errors, and 2 if there is nothing to check. */
export async function checkMcp(options: CheckMcpOptions, cli: Cli): Promise<number> {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const reaper = new ProcessReaper();
  try {
    return await checked(options, cli, reaper, stopping.signal);
  } catch (error) {
    if (!(error instanceof Cancelled)) cli.fail(messageOf(error));
    return error instanceof Cancelled ? interruptedExit : usageExit;
  } finally {
    reaper.dispose();
  }
}

async function checked(
  { servers: names, json }: CheckMcpOptions,
  cli: Cli,
  reaper: ProcessReaper,
  signal: AbortSignal,
): Promise<number> {
  const { machine } = cli;
  const taps = new JournalFolder(tapFolder(machine));
  const prepared = await PreparedCheckUp.prepare({
    places: { machine, folders: [process.cwd()] },
    names,
    redaction: cli.redaction,
    journals: () => taps.list(),
  });
  const result = await prepared.run({ reaper, version, timeout: checkTimeout }, signal);
  const text = json ? JSON.stringify(checkUpJson(result)) : describeCheckUp(result).trimEnd();
  for (const line of prepared.redacted(text).split('\n')) cli.print(line);
  await cli.flush();
  // A report that didn't arrive says nothing.
  return cli.hasGone ? usageExit : hasErrors(result) ? errorExit : 0;
}
