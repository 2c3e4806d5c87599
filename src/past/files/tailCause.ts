import type { RunProtocol } from '../../wire/protocol';
import type { Redaction } from '../../redact/redactorFor';
import { redactorFor } from '../../redact/redactorFor';
import type { EndCause } from '../../wire/termination';
import { peekJournal } from '../../wire/journal/journalPeek';
import { noSteps } from '../../work/step';
import { Work } from '../../work/work';
import { interpretation } from '../../runLog/reading/interpretation';
import { redactEvent } from '../../runLog/reading/redactEvent';

/** Why a process ended, as far as the last lines of its journal say. */
export async function tailCause(
  path: string,
  protocol: RunProtocol,
  redaction: Redaction | undefined,
): Promise<EndCause | undefined> {
  const redactor = redaction && redactorFor(redaction);
  const { last } = await peekJournal(path);
  const run = interpretation(protocol, { lastSeq: 0, record: ignore, session: ignore, work: new Work(noSteps) });
  for (const event of last) run.accept(redactEvent(event, redactor));
  return run.endCause;
}

function ignore(): void {
  // Only the cause is wanted.
}
