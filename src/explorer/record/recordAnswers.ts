import type { Translator } from '../../text/translator';
import type { ExplorerRun } from '../../runLog/explorerRun';
import type { LogRecord } from '../../text/record';
import type { ArgsOf, CutText, DataNode, Handlers, RecordAction, RecordDetails } from '../page/messages';
import { membersOf, valueAt } from './dataTree';
import type { ButtonsOf } from './recordDetails';
import { cutText, rawLine, recordDetails } from './recordDetails';

type RecordHandlers = Handlers['record'];

export interface RecordAnswersOptions {
  readonly l10n: Translator;
  readonly buttonsOf: ButtonsOf;
  /** Reports its errors: their buttons are part of it. */
  act(name: RecordAction, seqs: readonly number[]): Promise<void>;
}

/** Answers what the page asks about single records. */
export class RecordAnswers implements RecordHandlers {
  constructor(
    private readonly run: ExplorerRun,
    private readonly options: RecordAnswersOptions,
  ) {}

  details({ seq }: ArgsOf<'record.details'>): RecordDetails | null {
    const { buttonsOf, l10n } = this.options;
    const record = this.recordAt(seq);
    return record ? recordDetails(record, this.run, buttonsOf, l10n) : null;
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

  act({ name, seqs }: ArgsOf<'record.act'>): Promise<void> {
    return this.options.act(name, seqs);
  }

  private recordAt(seq: number): LogRecord | undefined {
    return this.run.log.store.get(seq);
  }
}
