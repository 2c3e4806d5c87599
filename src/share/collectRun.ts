import type { CancellationToken } from 'vscode-jsonrpc/node';
import { boundedJson } from '../text/boundedJson';
import { everything } from '../query/compiledQuery';
import { jsonText } from '../text/jsonText';
import type { LogRecord } from '../text/record';
import { shortId } from '../text/sessionLabel';
import { diffText } from '../timeline/changes';
import type { Span } from '../timeline/span';
import { workKinds } from '../timeline/span';
import { readAllBodies } from '../past/files/wireBodies';
import { bodiesInMemory } from '../runLog/wire/wireBodies';
import type { WireEntry } from '../runLog/wire/wireRows';
import type { RunLog } from '../runLog/runLog';
import type { RunView } from '../runLog/runView';
import { RecordPages } from '../store/recordPages';
import { Slices } from '../time/slices';
import { Cancelled } from '../time/waiting';
import type { SharedCut, SharedMessage, SharedRecord, SharedRun, SharedSession, SharedSpan } from './sharedRun';

/** The whole run, one of its sessions with its subagents, or some records. */
export type SharedPart =
  | { readonly type: 'run' }
  | { readonly type: 'session'; readonly sessionId: string }
  | { readonly type: 'selection'; readonly seqs: ReadonlySet<number> };

export interface CollectOptions {
  readonly part: SharedPart;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly token?: CancellationToken | undefined;
}

/** Maximum number of records, and of messages. */
const maxRecords = 200_000;
const maxSpans = 20_000;
/** Number of messages to look at between two looks at the time. */
const rowsAtOnce = 64;
/** Maximum length of all texts, and of one, in UTF-16 units. */
const maxTexts = 128 * 1024 * 1024;
const maxText = 1024 * 1024;
/** Maximum length of what a tool call changed, in UTF-16 units. */
const maxDiff = 50_000;

/**
 * Collects what a shared page shows of a run: what was read of it so far. A past run has to be read before.
 * @throws Cancelled
 */
export async function collectRun(run: RunView, options: CollectOptions): Promise<SharedRun> {
  return new Collection(run, options).collect();
}

class Collection {
  private readonly slices = new Slices();
  private readonly log: RunLog;
  private readonly ids = new Map<string, string>();
  private readonly cut: SharedCut[] = [];
  private left = maxTexts;
  private cutTexts = 0;

  constructor(
    private readonly run: RunView,
    private readonly options: CollectOptions,
  ) {
    this.log = run.log;
    for (const { id } of this.log.sessions) this.ids.set(id, `${this.ids.size + 1}-${shortId(id)}`);
  }

  async collect(): Promise<SharedRun> {
    const { run, log } = this;
    const { part } = this.options;
    const isPart = partTest(part, log);
    const records = await this.records(isPart);
    const messages = await this.messages(isPart);
    const spans = await this.spans(isPart);
    if (part.type !== 'run') this.cut.push({ type: 'part', of: part.type });
    if (this.cutTexts > 0) this.cut.push({ type: 'texts', count: this.cutTexts });
    const { state } = run;
    return {
      name: run.name,
      protocol: run.protocol,
      startedAt: run.startedAt,
      sharedAt: this.options.now,
      ...(state.type === 'ended' && { termination: log.store.sessionIds.inValue(state.termination) }),
      sessions: this.sessions(isPart),
      records,
      messages,
      spans,
      cut: this.cut,
    };
  }

  private sessions(isPart: PartTest): readonly SharedSession[] {
    return this.log.sessions
      .filter(({ id }) => isPart.session(id))
      .map(({ id, title }) => ({
        id: this.idOf(id),
        ...(title !== undefined && { title: this.short(title, id) }),
      }));
  }

  /** The newest that fit. */
  private async records(isPart: PartTest): Promise<readonly SharedRecord[]> {
    const { store } = this.log;
    const total = isPart.records;
    const kept: SharedRecord[] = [];
    const isFull = (): boolean => kept.length >= maxRecords || this.left <= 0;
    const pages = new RecordPages(store, { isWanted: (seq, sessionId) => isPart.record(seq, sessionId) });
    for await (const records of pages.newestFirst()) {
      for (const record of records.toReversed()) {
        if (isFull()) break;
        kept.push(this.record(record));
        await this.pause();
      }
      if (isFull()) break;
    }
    this.cutOf('records', Math.max(0, total - kept.length) + (isPart.isAll ? store.dropped : 0));
    return kept.reverse();
  }

  private record({
    seq,
    receivedAt,
    time,
    level,
    kind,
    sessionId,
    logger,
    content,
    message,
    data,
    words,
  }: LogRecord): SharedRecord {
    const raw = this.log.store.raw(seq);
    const settledBy = this.log.settledBy(seq);
    return {
      seq,
      receivedAt,
      ...(time !== undefined && { time }),
      level,
      kind,
      ...(sessionId !== undefined && { sessionId: this.idOf(sessionId) }),
      ...(logger !== undefined && { logger }),
      ...(content && { content }),
      message: this.text(message),
      ...(data !== undefined && { data: this.data(data) }),
      ...(words && { words: this.log.store.sessionIds.inValue(words, sessionId) }),
      ...(raw !== undefined && { raw: this.text(this.short(raw, sessionId)) }),
      ...(settledBy !== undefined && { settledBy }),
    };
  }

  private async messages(isPart: PartTest): Promise<readonly SharedMessage[]> {
    const { wire } = this.log;
    const all: WireEntry[] = [];
    for (let row = wire.firstRow; row < wire.endRow; row++) {
      const entry = wire.get(row);
      if (entry && isPart.message(entry)) all.push(entry);
      if (row % rowsAtOnce === 0) await this.pause();
    }
    const entries = all.slice(-maxRecords);
    const bodies = await readAllBodies(this.run, entries, () => this.isCancelled);
    const kept: SharedMessage[] = [];
    for (const entry of entries.reverse()) {
      if (this.left <= 0) break;
      const { row, sessionId, carried, ...fields } = entry;
      const { message, answer } = { ...bodiesInMemory(this.log, entry), ...bodies.get(row) };
      kept.push({
        ...fields,
        carried: this.short(carried, sessionId),
        sessionId: sessionId === undefined ? undefined : this.idOf(sessionId),
        ...(message !== undefined && { message: this.text(this.short(message, sessionId)) }),
        ...(answer !== undefined && { answer: this.text(this.short(answer, sessionId)) }),
      });
      await this.pause();
    }
    this.cutOf('messages', all.length - kept.length + (isPart.isAll ? wire.dropped : 0));
    return kept.reverse();
  }

  private async spans(isPart: PartTest): Promise<readonly SharedSpan[]> {
    const all = this.log.spans({ kinds: workKinds }).filter((span) => isPart.span(span));
    this.cutOf('spans', Math.max(0, all.length - maxSpans) + (isPart.isAll ? this.log.droppedSpans : 0));
    const newest = all.slice(-maxSpans);
    return this.slices.flatMap(newest, ({ sessionId, callId: _, traceparent: __, ...span }) => ({
      ...this.log.store.sessionIds.inValue(span, sessionId),
      ...this.diff(span, sessionId),
      ...(sessionId !== undefined && { sessionId: this.idOf(sessionId) }),
    }));
  }

  private diff({ id, changes }: Pick<Span, 'id' | 'changes'>, sessionId: string | undefined): { diff?: string } {
    if (!changes) return {};
    return { diff: this.text(this.short(diffText(this.log.changesOf(id)), sessionId).slice(0, maxDiff)) };
  }

  private cutOf(type: 'records' | 'messages' | 'spans', count: number): void {
    if (count > 0) this.cut.push({ type, count });
  }

  private idOf(sessionId: string): string {
    return this.ids.get(sessionId) ?? shortId(sessionId);
  }

  private short(text: string, sessionId: string | undefined): string {
    return this.log.store.sessionIds.inText(text, sessionId);
  }

  private text(text: string): string {
    this.left -= Math.min(text.length, maxText);
    if (text.length <= maxText) return text;
    this.cutTexts++;
    return `${text.slice(0, maxText)}…`;
  }

  private data(data: unknown): unknown {
    const { length } = jsonText(data) ?? '';
    this.left -= Math.min(length, maxText);
    if (length > 0 && length <= maxText) return data;
    this.cutTexts++;
    return boundedJson(data, maxText);
  }

  private get isCancelled(): boolean {
    return this.options.token?.isCancellationRequested === true;
  }

  private async pause(): Promise<void> {
    if (!this.slices.isSpent) return;
    await this.slices.next();
    if (this.isCancelled) throw new Cancelled();
  }
}

/** What belongs to the part that is shared. */
interface PartTest {
  readonly isAll: boolean;
  /** How many records it has. */
  readonly records: number;
  session(id: string): boolean;
  record(seq: number, sessionId: string | undefined): boolean;
  message(entry: WireEntry): boolean;
  span(span: Span): boolean;
}

function partTest(part: SharedPart, log: RunLog): PartTest {
  switch (part.type) {
    case 'run':
      return {
        isAll: true,
        records: log.store.held,
        session: () => true,
        record: () => true,
        message: () => true,
        span: () => true,
      };
    case 'session': {
      const ids = withSubagents(part.sessionId, log);
      // What belongs to no session, such as standard error, may explain it.
      const isIn = (id: string | undefined): boolean => id === undefined || ids.has(id);
      return {
        isAll: false,
        records: log.store.count(everything, isIn),
        session: isIn,
        record: (_, id) => isIn(id),
        message: ({ sessionId }) => isIn(sessionId),
        span: ({ sessionId }) => isIn(sessionId),
      };
    }
    case 'selection': {
      const { seqs } = part;
      const sorted = Float64Array.from(seqs).sort();
      const sessions = new Set([...seqs].map((seq) => log.store.get(seq)?.sessionId));
      const covers = (first: number, last: number): boolean => (firstFrom(sorted, first) ?? Infinity) <= last;
      return {
        isAll: false,
        records: seqs.size,
        session: (id) => sessions.has(id),
        record: (seq) => seqs.has(seq),
        message: ({ seq, answerSeq }) => seqs.has(seq) || seqs.has(answerSeq ?? seq),
        span: ({ firstSeq, lastSeq, sessionId }) => sessions.has(sessionId) && covers(firstSeq, lastSeq),
      };
    }
  }
}

/** The first of sorted numbers that is at least `least`. */
function firstFrom(sorted: Float64Array, least: number): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) < least) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

function withSubagents(sessionId: string, { sessions }: RunLog): ReadonlySet<string> {
  const ids = new Set([sessionId]);
  // A subagent starts after the session that started it.
  for (const { id, parent } of sessions) if (parent !== undefined && ids.has(parent)) ids.add(id);
  return ids;
}
