import type { RunView } from '../../../runs/runView';
import type { LogRecord } from '../../../log/record';
import type { ArgsOf, CutText, DataNode, Handlers, RecordDetails } from '../messages';
import { membersOf, valueAt } from './dataTree';
import type { RecordActions } from './recordActions';
import { cutText, rawLine, recordDetails } from './recordDetails';

type RecordHandlers = Handlers['record'];

export interface RecordAnswersOptions {
  readonly actions: RecordActions;
  /** Shows the run of the journal instead. */
  openRunJournal(): Promise<void>;
  report(error: unknown): void;
}

/** Answers what the page asks about single records. */
export class RecordAnswers implements RecordHandlers {
  constructor(
    private readonly run: RunView,
    private readonly options: RecordAnswersOptions,
  ) {}

  details({ seq }: ArgsOf<'record.details'>): RecordDetails | null {
    const { run } = this;
    const record = this.recordAt(seq);
    return record ? recordDetails(record, run, (problem) => this.options.actions.buttonsOf(problem, run)) : null;
  }

  members({ seq, path, from }: ArgsOf<'record.members'>): readonly DataNode[] {
    return membersOf(valueAt(this.recordAt(seq)?.data, path), from);
  }

  value({ seq, path }: ArgsOf<'record.value'>): CutText | undefined {
    const value = valueAt(this.recordAt(seq)?.data, path);
    if (typeof value !== 'string') return undefined;
    const { text, missing } = cutText(value);
    return { text: `"${text}${missing > 0 ? '…' : '"'}`, missing };
  }

  raw({ seq }: ArgsOf<'record.raw'>): CutText | undefined {
    const record = this.recordAt(seq);
    const raw = record && rawLine(record, this.run);
    return raw === undefined ? undefined : cutText(raw);
  }

  /** Errors are reported: their buttons are part of it. */
  async act({ name, seqs }: ArgsOf<'record.act'>): Promise<void> {
    const { options } = this;
    try {
      if (name === 'openRunJournal') await options.openRunJournal();
      else await options.actions.run(name, seqs, this.run);
    } catch (error) {
      options.report(error);
    }
  }

  private recordAt(seq: number): LogRecord | undefined {
    return this.run.log.store.get(seq);
  }
}
