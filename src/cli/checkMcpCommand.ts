import { homedir } from 'node:os';
import { version } from '../../package.json';
import { messageOf } from '../text/humanError';
import { checkUpJson, describeCheckUp, hasErrors } from '../mcpServers/check/checkReport';
import { checkTimeout } from '../mcpServers/check/checkUp';
import { PreparedCheckUp } from '../mcpServers/check/preparedCheckUp';
import { ProcessReaper } from '../live/process/processReaper';
import { Cancelled } from '../time/waiting';
import { JournalFolder } from '../wire/journal/journalFolder';
import { tapFolder } from '../wire/journal/tapFolder';
import type { CheckMcpOptions } from './commandLine';
import { fail, Output } from './tail/output';

const errorExit = 1;
const usageExit = 2;
/** 128 plus the number of SIGINT. */
const interruptedExit = 130;

/** Checks the configured MCP servers and reports on them. The exit code is 1 for errors, and 2 if there is nothing to check. */
export async function checkMcp(options: CheckMcpOptions): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const reaper = new ProcessReaper();
  try {
    process.exitCode = await checked(options, reaper, stopping.signal);
  } catch (error) {
    if (!(error instanceof Cancelled)) fail(messageOf(error));
    process.exitCode = error instanceof Cancelled ? interruptedExit : usageExit;
  } finally {
    reaper.dispose();
  }
  // Don't wait for requests to servers that are gone.
  process.exit();
}

async function checked(
  { servers: names, json }: CheckMcpOptions,
  reaper: ProcessReaper,
  signal: AbortSignal,
): Promise<number> {
  const { platform, env } = process;
  const machine = { platform, home: homedir(), env };
  const taps = new JournalFolder(tapFolder(machine));
  const prepared = await PreparedCheckUp.prepare({
    places: { machine, folders: [process.cwd()] },
    names,
    journals: () => taps.list(),
  });
  const result = await prepared.run({ reaper, version, timeout: checkTimeout }, signal);
  const text = json ? JSON.stringify(checkUpJson(result)) : describeCheckUp(result).trimEnd();
  const output = new Output(process.stdout, (error) => fail(`standard output cannot be written: ${error.message}`));
  for (const line of prepared.redacted(text).split('\n')) output.print(line);
  await output.flush();
  return hasErrors(result) ? errorExit : 0;
}
