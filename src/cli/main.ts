// The command line of Agent Logs (see commandLine.ts). The same file runs as the thread that writes a tap's journal.
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { version } from '../../package.json';
import { parseCommandLine, runCommand, usage } from './commandLine';
import type { Cli } from './context';
import type { FromThread, ThreadSpec, ToThread } from './tap/journal/threadMessage';
import { UsageError } from './usageError';

/** Exit code of POSIX utilities for an invalid command line. */
const usageExit = 2;
/** A third of the relay's share. With less, a busy machine couldn't finish the journal when the agent ends. */
const journalPriority = 5;

if (isMainThread) void run();
else if (parentPort) void keepJournal(workerData as ThreadSpec, parentPort);

async function run(): Promise<void> {
  let opening: Promise<Cli> | undefined;
  const open = (): Promise<Cli> => (opening ??= import('./context').then(({ Cli: Context }) => Context.here()));
  const code = await resultOf(process.argv.slice(2), open);
  if (code === undefined) return;
  const cli = await opening;
  await cli?.flush();
  // Don't wait for watchers, reads and requests that are still open.
  process.exit(Math.max(code, cli?.exitCode ?? 0));
}

/** The exit code of a command line; `undefined` if the command exits by itself. */
async function resultOf(words: readonly string[], open: () => Promise<Cli>): Promise<number | undefined> {
  try {
    const command = parseCommandLine(words);
    if (command.type !== 'help' && command.type !== 'version') {
      return await runCommand(command, { open, program: __filename });
    }
    const cli = await open();
    cli.write(command.type === 'help' ? usage(command.of) : `agent-logs ${version}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const cli = await open();
    cli.warn(error.message);
    cli.writeError('Try "agent-logs --help".');
    return usageExit;
  }
}

/** Runs the thread that writes a tap's journal, so that writing never delays the relay. */
async function keepJournal(spec: ThreadSpec, port: MessagePort): Promise<void> {
  yieldToRelay();
  const [{ TapJournal }, { tapRedactor }] = await Promise.all([
    import('./tap/journal/tapJournal'),
    import('./tap/journal/tapRedactor'),
  ]);
  const report = (message: FromThread): void => port.postMessage(message);
  const redactor = tapRedactor(spec, process.env, (message) => report({ type: 'warning', message }));
  const journal = new TapJournal(spec, redactor, report);
  port.on('message', (messages: readonly ToThread[]) => journal.accept(messages));
}

/** On a busy machine, the relay goes first. Only Linux has priorities per thread. */
function yieldToRelay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, journalPriority);
  } catch {
    // Not allowed here.
  }
}
