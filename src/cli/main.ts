// The command line of Agent Logs (see usage.ts). The same file runs as the thread that writes a tap's journal.
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { version } from '../../package.json';
import type { Command } from './commandLine';
import { parseCommandLine } from './commandLine';
import type { FromThread, ThreadSpec, ToThread } from './tap/journal/threadMessage';
import { UsageError } from './usageError';
import { usage } from './usage';

/** Exit code of POSIX utilities for an invalid command line. */
const usageExit = 2;
/** A third of the relay's share. With less, a busy machine couldn't finish the journal when the agent ends. */
const journalPriority = 5;

if (isMainThread) void run().catch(refuse);
else if (parentPort) void keepJournal(workerData as ThreadSpec, parentPort);

async function run(): Promise<void> {
  const command = commandOf(process.argv.slice(2));
  switch (command?.type) {
    case undefined:
      process.exitCode = usageExit;
      break;
    case 'help':
      print(usage);
      break;
    case 'version':
      print(`agent-logs ${version}\n`);
      break;
    case 'tap':
      return (await import('./tapCommand')).tap(command, __filename);
    case 'tail':
      return (await import('./tailCommand')).tail(command);
    case 'sessions':
      return (await import('./sessionsCommand')).listSessions(command);
    case 'check':
      return (await import('./checkCommand')).check(command);
    case 'check-mcp':
      return (await import('./checkMcpCommand')).checkMcp(command);
    case 'replay':
      return (await import('./replayCommand')).replay(command);
    case 'share':
      return (await import('./shareCommand')).share(command);
  }
}

/** Prints text. It isn't an error if stdout is closed. */
function print(text: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'EOF') return;
    process.stderr.write(`agent-logs: standard output cannot be written: ${error.message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(text);
}

function commandOf(words: readonly string[]): Command | undefined {
  try {
    return parseCommandLine(words);
  } catch (error) {
    refuse(error);
    return undefined;
  }
}

/** @throws if the user isn't to blame */
function refuse(error: unknown): void {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`agent-logs: ${error.message}\nTry "agent-logs --help".\n`);
  process.exitCode = usageExit;
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
