import { Emitter } from '../text/emitter';
import { RecordStore } from '../store/store';
import type { ExplorerLog, ExplorerSession } from '../runLog/explorerRun';
import type { LeafCache } from '../runLog/leaf';
import { CountedGroup } from '../runLog/logGroup';
import { RunProblems } from '../runLog/runProblems';
import type { SharedHead } from '../share/sharedFile';
import type { SharedMessage, SharedRecord, SharedSpan } from '../share/sharedRun';
import type { SpanQuery } from '../timeline/span';
import { SharedRows } from './sharedRows';

/** What a shared page knows of its run: the records and messages that are in its file. */
export class SharedLog implements ExplorerLog {
  private readonly changeEmitter = new Emitter<undefined>();
  readonly onDidChange = this.changeEmitter.event;
  readonly store = new RecordStore(Infinity);
  readonly problems = new RunProblems();
  readonly wire = new SharedRows();
  readonly connection: CountedGroup;
  readonly sessions: readonly (CountedGroup & { readonly id: string })[];
  leaves?: LeafCache;
  private readonly groups = new Map<string | undefined, CountedGroup>();
  private readonly settled = new Map<number, number>();
  private readonly allSpans: readonly SharedSpan[];

  constructor({ sessions, spans, startedAt, cut }: SharedHead) {
    this.connection = new CountedGroup(undefined, 0, startedAt);
    this.groups.set(undefined, this.connection);
    this.sessions = sessions.map(({ id, title }) => {
      const group = new CountedGroup(id, this.groups.size, startedAt) as CountedGroup & { readonly id: string };
      if (title !== undefined) group.title = title;
      this.groups.set(id, group);
      return group;
    });
    this.allSpans = spans;
    this.droppedSpans = cut.reduce((sum, one) => sum + (one.type === 'spans' ? one.count : 0), 0);
  }

  readonly droppedSpans: number;

  find(sessionId: string | undefined): ExplorerSession | undefined {
    return this.groups.get(sessionId);
  }

  settledBy(seq: number): number | undefined {
    return this.settled.get(seq);
  }

  get settledCount(): number {
    return this.settled.size;
  }

  spans({ sessionId, kinds }: SpanQuery = {}): readonly SharedSpan[] {
    return this.allSpans.filter(
      (span) =>
        (sessionId === undefined || span.sessionId === sessionId) && (kinds === undefined || kinds.includes(span.kind)),
    );
  }

  /** What a span changed, as text. */
  diffOf(id: string): string | undefined {
    return this.allSpans.find((span) => span.id === id)?.diff;
  }

  addRecords(records: readonly SharedRecord[]): void {
    for (const { seq, settledBy, ...draft } of records) {
      this.store.skipTo(seq);
      this.store.append(draft);
      this.groups.get(draft.sessionId)?.count(draft.level, draft.kind, draft.receivedAt);
      if (settledBy !== undefined) this.settled.set(seq, settledBy);
      else if (draft.kind === 'diagnosis') this.problems.add(seq, draft);
    }
    this.changeEmitter.fire(undefined);
  }

  addMessages(messages: readonly SharedMessage[]): void {
    for (const message of messages) this.wire.append(message);
    this.changeEmitter.fire(undefined);
  }
}
