import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { TapJournal } from './tapJournal';
import type { JournalSpec, ToThread } from './threadMessage';

/** A third of the share of the relay: with less, a busy machine keeps the journal from being finished when the agent ends. */
const yielding = 5;

/** The thread that keeps a tap's journal: what it does never holds up the relay. */
export function keepJournal(spec: JournalSpec, port: MessagePort): void {
  yieldToRelay();
  const journal = new TapJournal(spec, (message) => port.postMessage(message));
  port.on('message', (messages: readonly ToThread[]) => journal.accept(messages));
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
