import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseCommandLine, runCommand } from '../../src/cli/commandLine';
import { Cli } from '../../src/cli/context';
import { UsageError } from '../../src/cli/usageError';

/** How a command ended, and all its output. */
export interface Printed {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in this process, which takes milliseconds. Not for commands that exit by themselves, or load files of the program.
 * @param home of the user, who has no variables
 */
export async function runHere(
  home: string,
  words: readonly string[],
  input: string | Buffer = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  const [stdin, stdout, stderr] = [Readable.from([Buffer.from(input)]), new PassThrough(), new PassThrough()];
  const cli = new Cli({ platform: process.platform, home, env }, { stdin, stdout, stderr });
  const printed = Promise.all([text(stdout), text(stderr)]);
  let code: number | undefined;
  try {
    const command = parseCommandLine(words);
    assert.ok(command.type !== 'help' && command.type !== 'version');
    code = await runCommand(command, { open: () => Promise.resolve(cli), program: '' });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    cli.warn(error.message);
    code = 2;
  }
  await cli.flush();
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}
