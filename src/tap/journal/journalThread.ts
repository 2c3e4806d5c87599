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
import { spokenIn } from './spokenIn';
import type { FromThread, JournalPlace, JournalSpec, ToThread } from './threadMessage';

/** In bytes; then the journal goes on in another file. */
const maxFileSize = 64 * 1024 * 1024;
/** What older journals of taps may take, in bytes, and how old they may be, in milliseconds. */
const retention = { maxTotalSize: 1024 * 1024 * 1024, maxAge: 30 * 24 * 3600 * 1000 };

/** Where nothing tells what is spoken. */
const usual = 'acp';

/** A third of the share of the relay: with less, a busy machine keeps the journal from being finished when the agent ends. */
const yielding = 5;

/** So long it is waited for something that tells what is spoken, where nobody has said it: in milliseconds, and in messages to this thread. */
const waiting = { ms: 1000, messages: 20 };

/** The thread that keeps a tap's journal: what it does never holds up the relay. */
export function keepJournal(spec: JournalSpec, port: MessagePort): void {
  yieldToRelay();
  const tell = (message: FromThread): void => port.postMessage(message);
  const early: ToThread[] = [];
  let keeper: JournalKeeper | undefined;
  let isRefused = false;
  let working = prepare(spec.place).catch((error: unknown) => {
    isRefused = true;
    tell({ type: 'problem', message: messageOf(error) });
  });
  const keep = async (by: JournalKeeper, message: Exclude<ToThread, { type: 'close' }>): Promise<void> => {
    await by.accept(message);
    if (message.type === 'chunk') tell({ type: 'taken', bytes: message.bytes.length });
  };
  const open = async (protocol: string): Promise<JournalKeeper> => {
    clearTimeout(timer);
    const opened = new JournalKeeper(journalOf(spec, protocol, tell), protocol);
    for (const message of early.splice(0)) if (message.type !== 'close') await keep(opened, message);
    return opened;
  };
  const take = async (message: ToThread): Promise<void> => {
    if (message.type === 'close') {
      if (!isRefused) await (keeper ?? (await open(spec.protocol ?? usual))).close();
      tell({ type: 'closed' });
      return;
    }
    if (isRefused) return;
    if (keeper) return keep(keeper, message);
    early.push(message);
    const protocol = spec.protocol ?? spokenIn(message) ?? (early.length < waiting.messages ? undefined : usual);
    if (protocol !== undefined) keeper = await open(protocol);
  };
  const timer = setTimeout(() => {
    working = working.then(async () => {
      if (!isRefused) keeper ??= await open(spec.protocol ?? usual);
    });
  }, waiting.ms);
  port.on('message', (messages: readonly ToThread[]) => {
    working = working.then(async () => {
      for (const message of messages) await take(message);
      await new Promise(setImmediate); // the journal has timers of its own
    });
  });
}

function journalOf(spec: JournalSpec, protocol: string, tell: (message: FromThread) => void): JournalWriter {
  const { agent, command, cwd, pid, level, startedAt } = spec;
  return new JournalWriter({
    fileOf: filesOf(spec),
    header: {
      journal: 1,
      agent,
      protocol,
      command: redactedCommand(command, new Redactor()),
      cwd,
      startedAt: new Date(startedAt).toISOString(),
      tap: { pid, ...(level !== undefined && { level }) },
    },
    startedAt,
    maxFileSize,
    onProblem: (error) => tell({ type: 'problem', message: error.message }),
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
