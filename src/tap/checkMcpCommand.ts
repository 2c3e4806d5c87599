import { homedir } from 'node:os';
import { version } from '../../package.json';
import { Redactor } from '../log/redact/redactor';
import { oneLine } from '../log/text';
import { inEnglish } from '../log/translator';
import { messageOf } from '../runs/humanError';
import { checkUpJson, describeCheckUp, hasErrors } from '../runs/mcpServers/check/checkReport';
import { checkTargets, valuesOf } from '../runs/mcpServers/check/checkTarget';
import { checkTimeout, checkUp } from '../runs/mcpServers/check/checkUp';
import { configuredServers } from '../runs/mcpServers/configuredServers';
import { ProcessReaper } from '../runs/process/processReaper';
import { redactedLine } from '../runs/reading/redactEvent';
import { Cancelled } from '../runs/waiting';
import type { CheckMcpOptions } from './commandLine';
import { fail, Output } from './tail/output';
import { UsageError } from './usageError';

const errorExit = 1;
const usageExit = 2;
/** 128 plus the number of SIGINT. */
const interruptedExit = 130;

/** Starts the configured MCP servers once and reports on them. The exit code is 1 for errors, and 2 if there is nothing to check. */
export async function checkMcp(options: CheckMcpOptions): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const reaper = new ProcessReaper();
  try {
    process.exitCode = await checked(options, reaper, stopping.signal);
  } catch (error) {
    if (!(error instanceof Cancelled)) fail(error instanceof UsageError ? error.message : messageOf(error));
    process.exitCode = error instanceof Cancelled ? interruptedExit : usageExit;
  } finally {
    reaper.dispose();
  }
}

async function checked(
  { servers: names, json }: CheckMcpOptions,
  reaper: ProcessReaper,
  signal: AbortSignal,
): Promise<number> {
  const { platform, env } = process;
  const home = homedir();
  const folder = process.cwd();
  const { servers, problems } = await configuredServers({ machine: { platform, home, env }, folders: [folder] });
  for (const { message } of problems) process.stderr.write(`agent-logs: ${inEnglish(message)}\n`);
  const targets = checkTargets(servers, names, { env, userHome: home, workspaceFolder: folder });
  const unknown = names.find((name) => !targets.some((target) => target.name === name));
  if (unknown !== undefined) {
    throw new UsageError(unknownServer(unknown, [...new Set(servers.map(({ name }) => name))]));
  }
  if (targets.length === 0) throw new UsageError('No MCP servers are configured for this folder or user.');
  const redactor = new Redactor({ values: valuesOf(targets) });
  const result = await checkUp(targets, { reaper, redactor, version, env, timeout: checkTimeout }, signal);
  const text = json ? JSON.stringify(checkUpJson(result)) : describeCheckUp(result).trimEnd();
  const output = new Output(process.stdout, (error) => fail(`standard output cannot be written: ${error.message}`));
  for (const line of text.split('\n')) output.print(redactedLine(line, redactor));
  await output.flush();
  return hasErrors(result) ? errorExit : 0;
}

function unknownServer(name: string, known: readonly string[]): string {
  const names = known.map((one) => `"${oneLine(one, 60)}"`).join(', ');
  return `There is no MCP server "${oneLine(name, 60)}". ${names === '' ? 'None are configured for this folder or user.' : `The servers are ${oneLine(names, 1000)}.`}`;
}
