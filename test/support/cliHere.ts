import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { parseCommandLine, runCommand } from '../../src/cli/commandLine';
import { Cli } from '../../src/cli/context';
import { UsageError } from '../../src/cli/usageError';

/** How a command ended, and all its output. */
export interface Printed {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GivenHere {
  /** Standard input. */
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the reader of standard output leaves after the first lines, which ends commands that watch. */
  readonly leaves?: boolean;
}

/**
 * Runs a command in this process, which takes milliseconds. Not for commands that exit by themselves, or load files of the program.
 * @param home of the user, who has no variables
 */
export async function runHere(
  home: string,
  words: readonly string[],
  { input = '', env = {}, leaves = false }: GivenHere = {},
): Promise<Printed> {
  const stdin = Readable.from([Buffer.from(input)]);
  const [stdout, stderr] = [new Output(leaves), new Output(false)];
  const cli = new Cli({ platform: process.platform, home, env }, { stdin, stdout, stderr });
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
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Output extends Writable {
  private readonly chunks: Buffer[] = [];

  constructor(private readonly leaves: boolean) {
    super();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    this.chunks.push(chunk);
    done(this.leaves ? Object.assign(new Error('closed'), { code: 'EPIPE' }) : undefined);
  }
}
