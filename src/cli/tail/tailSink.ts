import type { Level } from '../../text/level';
import { reaches } from '../../text/level';
import type { RecordDraft } from '../../text/record';
import { sessionLabel } from '../../text/sessionLabel';
import { ShortSessionIds } from '../../store/shortSessionIds';
import type { Termination } from '../../wire/termination';
import type { SessionChange } from '../../protocols/interpreter';
import type { LogReader, LogSink } from '../../runLog/reading/logReader';
import type { Entry } from '../context';
import { noSteps } from '../../work/step';
import { Work } from '../../work/work';
import type { LineFormat } from './recordLines';

export interface TailSinkOptions {
  readonly format: LineFormat;
  readonly level: Level;
  /** A title, or the end of an ID. */
  readonly session: string | undefined;
  readonly print: (entry: Entry) => void;
  /** Titles that sessions get later in the file. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Prints the selected records. */
export class TailSink implements LogSink {
  private readonly titles = new Map<string, string>();
  private readonly sessions = new Set<string>();
  readonly work = new Work(noSteps);
  private source: Pick<LogReader, 'hasArrivalTimes'> | undefined;
  private readonly ids = new ShortSessionIds();
  private seq = 0;
  private lastAt = 0;
  /** The newest time that a record had. */
  private ownTime: number | undefined;

  constructor(private readonly options: TailSinkOptions) {}

  /** If the file doesn't say when entries arrived, their own times are more useful than the time of reading. */
  readFrom(source: Pick<LogReader, 'hasArrivalTimes'>): void {
    this.source = source;
  }

  get lastSeq(): number {
    return this.seq;
  }

  /** Whether the selected session wasn't found. */
  get hasMissed(): boolean {
    return this.options.session !== undefined && ![...this.sessions].some((id) => this.isWanted(id));
  }

  /** The names of the sessions so far. */
  get sessionNames(): string[] {
    return [...this.sessions].map((id) => sessionLabel(id, this.titleOf(id)));
  }

  get sessionTitles(): ReadonlyMap<string, string> {
    return this.titles;
  }

  begin(): void {
    this.work.end(this.lastAt);
  }

  record(draft: RecordDraft): void {
    const { raw: _raw, ...fields } = draft;
    this.lastAt = fields.receivedAt;
    const receivedAt = this.timeOf(fields);
    const record = { seq: ++this.seq, ...fields, receivedAt };
    const { format, level, session } = this.options;
    if (!reaches(record.level, level) || (session !== undefined && !this.isWanted(record.sessionId))) return;
    this.print(format.record(record, this.titles.get(record.sessionId ?? '')), record.sessionId);
  }

  /** If the file doesn't say when lines arrived: their own time, or that of the line before. */
  private timeOf({ time, receivedAt }: Pick<RecordDraft, 'time' | 'receivedAt'>): number {
    if (this.source?.hasArrivalTimes !== false) return receivedAt;
    this.ownTime = time ?? this.ownTime;
    return this.ownTime ?? receivedAt;
  }

  session(change: SessionChange): void {
    this.sessions.add(change.sessionId);
    this.ids.add(change.sessionId);
    if (change.type !== 'titled') return;
    if (change.title === undefined) this.titles.delete(change.sessionId);
    else this.titles.set(change.sessionId, change.title);
  }

  end(name: string, termination: Termination, at: number): void {
    const entry = this.options.format.end(name, termination, at);
    if (entry !== undefined) this.print(entry);
  }

  /** With short session IDs, because the output may be public. */
  private print({ lead, text }: Entry, sessionId?: string): void {
    const { format, print } = this.options;
    print({ lead, text: format.isJson ? this.ids.inJson(text, sessionId) : this.ids.inText(text, sessionId) });
  }

  private isWanted(id: string | undefined): boolean {
    const { session = '' } = this.options;
    if (id === undefined) return false;
    return id.endsWith(session) || this.titleOf(id)?.toLowerCase() === session.toLowerCase();
  }

  private titleOf(id: string): string | undefined {
    return this.titles.get(id) ?? this.options.titles.get(id);
  }
}
