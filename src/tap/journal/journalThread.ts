import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { TapJournal } from './tapJournal';
import { tapRedactor } from './tapRedactor';
import type { FromThread, ThreadSpec, ToThread } from './threadMessage';

/** A third of the share of the relay: with less, a busy machine keeps the journal from being finished when the agent ends. */
const yielding = 5;

/** The thread that keeps a tap's journal: what it does never holds up the relay. */
export function keepJournal(spec: ThreadSpec, port: MessagePort): void {
  yieldToRelay();
  const tell = (message: FromThread): void => port.postMessage(message);
  const { secretEnv: env, patternsFile, command } = spec;
  const redactor = tapRedactor({ env, patternsFile, command }, process.env, (message) =>
    tell({ type: 'warning', message }),
  );
  const journal = new TapJournal(spec, redactor, tell);
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
