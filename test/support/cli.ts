import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { JournalHeader } from '../../src/wire/journal/journalLine';
import { readJournalLine } from '../../src/wire/journal/journalReader';
import type { WireEvent } from '../../src/wire/wireEvent';
import { bundleProgram } from './bundle';

/** How a command ended, and all its output. */
export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The stream of the official ACP SDK over the pipes of a process. */
export function acpStreamOf({ stdin, stdout }: ChildProcessWithoutNullStreams): ReturnType<typeof ndJsonStream> {
  return ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
}

/** What the official ACP SDK's client sees of a turn, ids aside. */
export async function acpTurn(child: ChildProcessWithoutNullStreams, text: string) {
  const result = resultOf(child);
  const seen: string[] = [];
  const others: string[] = [];
  await client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params }) => {
      seen.push(JSON.stringify(params.update));
    })
    .onNotification('*', ({ method }) => {
      others.push(method);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      seen.push(`permission ${params.toolCall.title ?? ''}`);
      return { outcome: { outcome: 'selected', optionId: params.options[0]?.optionId ?? '' } };
    })
    .connectWith(acpStreamOf(child), async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: tmpdir(), mcpServers: [] });
      const prompt = [{ type: 'text' as const, text }];
      const answer = agent.request(methods.agent.session.prompt, { sessionId, prompt });
      seen.push(
        await answer.then(
          (found) => (found as { stopReason: string }).stopReason,
          (error: unknown) => String(error instanceof Error ? error.message : error),
        ),
      );
    });
  child.stdin.end();
  const { code, stderr } = await result;
  return { seen, others, code, stderr };
}

/** Makes the program in a folder, and returns its path. */
export type MakeProgram = (folder: string) => Promise<string>;

/** The command line for the current suite, made once. */
export function useCli(make?: MakeProgram): CliHarness {
  const harness = new CliHarness(make);
  before(() => harness.build());
  after(() => harness.remove());
  afterEach(() => harness.end());
  return harness;
}

/** The same, with a folder that is empty for each test. */
export function useCliInFolder(): {
  readonly cli: CliHarness;
  /** A path in the folder, or the folder. */
  readonly at: (...names: readonly string[]) => string;
  /** Writes a file there, and returns its path. */
  readonly write: (name: string, content: string | Buffer) => Promise<string>;
} {
  const cli = useCli();
  let folder: string;
  beforeEach(async () => {
    folder = cli.newFolder();
    await mkdir(folder);
  });
  const at = (...names: readonly string[]): string => join(folder, ...names);
  const write = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(at(name), content);
    return at(name);
  };
  return { cli, at, write };
}

export class CliHarness {
  /** Its path. */
  program = '';
  private temporary = '';
  private folders = 0;
  private readonly running = new Set<ChildProcessWithoutNullStreams>();

  /** @param make default: bundles it as one file */
  constructor(private readonly make: MakeProgram = (folder) => bundleProgram('cli', folder)) {}

  /** A temporary folder for a test. */
  get folder(): string {
    return this.temporary;
  }

  /** A path for the journals of one test, which doesn't exist yet. */
  newFolder(): string {
    return join(this.temporary, String(++this.folders));
  }

  /** The arguments of a tap before the agent's command, with a folder for its journal. */
  tapTo(folder: string, ...command: readonly string[]): string[] {
    return ['tap', '--name', 'Test', '--folder', folder, '--', ...command];
  }

  async build(): Promise<void> {
    this.temporary = await mkdtemp(join(tmpdir(), 'agent-logs-cli-'));
    this.program = await this.make(this.temporary);
    await bundleProgram('sampleAgent', this.temporary);
  }

  async remove(): Promise<void> {
    await rm(this.temporary, { recursive: true });
  }

  /** Ends processes that a test left. */
  end(): void {
    for (const child of this.running) child.kill('SIGKILL');
  }

  /** Starts the command line. A journal goes to the folder. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [this.program, ...args], {
      env: { ...process.env, XDG_STATE_HOME: this.temporary, LOCALAPPDATA: this.temporary, TZ: 'UTC', ...env },
    });
    this.running.add(child);
    child.once('close', () => this.running.delete(child));
    child.stdin.on('error', () => undefined); // it may exit before it has read everything
    return child;
  }

  /** Runs it to its end with the given standard input. */
  run(args: readonly string[], input: string | Buffer = '', env: NodeJS.ProcessEnv = {}): Promise<CliResult> {
    const child = this.start(args, env);
    child.stdin.end(input);
    return resultOf(child);
  }

  async journalNames(folder: string): Promise<string[]> {
    return (await readdir(folder)).filter((name) => name.endsWith('.ndjson')).sort();
  }

  /** The journals that taps wrote to a folder, with their lines. */
  async journals(folder: string): Promise<{ readonly header: JournalHeader; readonly events: readonly WireEvent[] }[]> {
    const names = await this.journalNames(folder);
    return Promise.all(
      names.map(async (name) => {
        const [first = '', ...lines] = (await readFile(join(folder, name), 'utf8')).split('\n');
        const header = JSON.parse(first) as JournalHeader;
        return { header, events: lines.flatMap((line) => readJournalLine(line) ?? []) };
      }),
    );
  }

  /** What the first journal in a folder has, without what changes from run to run. */
  async crossed(folder: string): Promise<readonly string[]> {
    const [journal] = await this.journals(folder);
    return (journal?.events ?? []).map((event) => {
      if (event.dir !== 'ev') return `${event.dir} ${event.line}`;
      return event.ev === 'exit' ? `exit ${event.code ?? event.signal ?? ''}` : event.ev;
    });
  }
}

/** Settles when the process has exited and all its output was read. */
export function resultOf(child: ChildProcessWithoutNullStreams): Promise<CliResult> {
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stdout: Buffer.concat(stdout), stderr }));
  });
}
