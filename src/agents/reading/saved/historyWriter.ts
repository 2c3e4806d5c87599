import type { SessionChange } from '../../../protocols/interpreter';
import { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { AgentSession, SessionAbout, WriterSink } from '../../../protocols/agentWriter/verbs';
import { ofFile } from '../../../protocols/agentWriter/verbs';
import type { RecordDraft } from '../../../text/record';
import { noSteps } from '../../../work/step';
import { Work } from '../../../work/work';

/** What marks the records of what was copied. */
const mark = { level: 'debug', logger: 'history' } as const;

/** Whether a record of a saved session was copied from another session. */
export function isOfHistory({ level, logger }: Pick<RecordDraft, 'level' | 'logger'>): boolean {
  return level === mark.level && logger === mark.logger;
}

/** Writes what was copied from another session: records of little importance, and no facts, so that nothing of it counts. */
export class HistoryWriter extends AgentWriter {
  /** @param session writes what is the session's own */
  constructor(
    sink: WriterSink,
    private readonly session: AgentWriter,
  ) {
    super({ sink: new HistorySink(sink, session), work: new Work(noSteps) }, ofFile);
  }

  override get isHistory(): boolean {
    return true;
  }

  /** Copied headers have the ID of the other session. */
  override in(session: AgentSession): void {
    super.in({ id: this.session.place.sessionId ?? session.id });
  }
}

class HistorySink implements WriterSink {
  readonly isBrief: boolean;

  constructor(
    private readonly sink: WriterSink,
    private readonly own: AgentWriter,
  ) {
    this.isBrief = sink.isBrief ?? false;
  }

  record(draft: RecordDraft): void {
    this.sink.record({ ...draft, ...mark });
  }

  /** The session has the copied title until it has its own. */
  session(change: SessionChange): void {
    if (change.type === 'seen') this.own.sessions.file(change.sessionId, change.at);
    if (change.type === 'titled' && !this.own.isTitled(change.sessionId)) this.sink.session(change);
  }

  fact(): void {
    // Another session counts it.
  }

  about(sessionId: string, about: SessionAbout): void {
    this.sink.about?.(sessionId, about);
  }
}
