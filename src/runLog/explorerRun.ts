import type { Event } from '../text/emitter';
import type { RecordStore } from '../store/store';
import type { Span, SpanQuery } from '../timeline/span';
import type { LogGroup } from './logGroup';
import type { RunProblems } from './runProblems';
import type { RunViewState } from './runView';
import type { RunProtocol } from '../wire/protocol';
import type { LeafCache } from './leaf';
import type { WireRows } from './wire/wireRows';

/** A session as the explorer needs it. */
export type ExplorerSession = Pick<LogGroup, 'title' | 'lastAt' | 'counts'>;

/** What an explorer shows of a run: `RunLog`, or what a shared page has of it. */
export interface ExplorerLog {
  readonly store: RecordStore;
  readonly onDidChange: Event<unknown>;
  /** The records without a session. */
  readonly connection: ExplorerSession;
  /** In order of appearance. */
  readonly sessions: readonly (ExplorerSession & { readonly id: string })[];
  find(sessionId: string | undefined): ExplorerSession | undefined;
  readonly problems: RunProblems;
  /** The `seq` of the record that says how a problem ended; `undefined` if it still holds. */
  settledBy(seq: number): number | undefined;
  /** Number of problems that no longer hold. */
  readonly settledCount: number;
  readonly wire: WireRows;
  /** Running and finished spans, oldest first. */
  spans(query?: SpanQuery): readonly Span[];
  readonly droppedSpans: number;
  /** Query results, while there are any queries. */
  leaves?: LeafCache;
}

/** The run of an explorer. */
export interface ExplorerRun {
  readonly protocol: RunProtocol;
  readonly log: ExplorerLog;
  readonly state: RunViewState;
  readonly journal: { readonly path: string | undefined } | undefined;
}
