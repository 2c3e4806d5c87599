import { stat } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { parse as parsePath, join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { Redactor } from '../../log/redact/redactor';
import { messageOf } from '../../runs/humanError';
import { JournalFolder } from '../../wire/journalFolder';
import { peekJournal } from '../../wire/journalPeek';
import { JournalWriter } from '../../wire/journalWriter';
import { JournalKeeper } from './journalKeeper';
import { redactedCommand } from './redactedCommand';
import type { FromThread, JournalPlace, JournalSpec, ToThread } from './threadMessage';

/** In bytes; then the journal goes on in another file. */
const maxFileSize = 64 * 1024 * 1024;
/** What older journals of taps may take, in bytes, and how old they may be, in milliseconds. */
const retention = { maxTotalSize: 1024 * 1024 * 1024, maxAge: 30 * 24 * 3600 * 1000 };

/** A third of the share of the relay: with less, a busy machine keeps the journal from being finished when the agent ends. */
const yielding = 5;

/** The thread that keeps a tap's journal: what it does never holds up the relay. */
export function keepJournal(spec: JournalSpec, port: MessagePort): void {
  yieldToRelay();
  const tell = (message: FromThread): void => port.postMessage(message);
  const { agent, protocol, cwd, pid, level, startedAt, place } = spec;
  const command = redactedCommand(spec.command, new Redactor());
  const journal = new JournalWriter({
    fileOf: filesOf(spec),
    header: {
      journal: 1,
      agent,
      protocol,
      command,
      cwd,
      startedAt: new Date(startedAt).toISOString(),
      tap: { pid, ...(level !== undefined && { level }) },
    },
    startedAt,
    maxFileSize,
    onProblem: (error) => tell({ type: 'problem', message: error.message }),
  });
  const keeper = new JournalKeeper(journal, protocol);
  let isRefused = false;
  let working = prepare(place).catch((error: unknown) => {
    isRefused = true;
    tell({ type: 'problem', message: messageOf(error) });
  });
  const take = async (message: ToThread): Promise<void> => {
    if (message.type === 'close') {
      await keeper.close();
      tell({ type: 'closed' });
      return;
    }
    if (isRefused) return;
    await keeper.accept(message);
    if (message.type === 'chunk') tell({ type: 'taken', bytes: message.bytes.length });
  };
  port.on('message', (messages: readonly ToThread[]) => {
    working = working.then(async () => {
      for (const message of messages) await take(message);
      await new Promise(setImmediate); // the journal has timers of its own
    });
  });
}

/** @throws where a journal would be written behind something else; another journal is gone on with, as one of several runs */
async function prepare(place: JournalPlace): Promise<void> {
  if (place.type === 'folder') {
    await new JournalFolder(place.path).prune(retention, Date.now(), new Set());
    return;
  }
  const known = await stat(place.path).catch(() => undefined);
  if (!known?.isFile() || known.size === 0 || (await peekJournal(place.path)).header) return;
  throw new Error(`${place.path} has something else in it`);
}

function filesOf({ agent, startedAt, place }: JournalSpec): (part: number) => string {
  if (place.type === 'folder') return new JournalFolder(place.path).fileOf(agent, place.runId, startedAt);
  const { dir, name, ext } = parsePath(place.path);
  return (part) => (part === 1 ? place.path : join(dir, `${name} ${part}${ext}`));
}

/** Where the machine is busy, the relay comes first. On Linux a priority is a thread's own. */
function yieldToRelay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, yielding);
  } catch {
    // not allowed here: it works without
  }
}
