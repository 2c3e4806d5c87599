import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { isOfHistory } from '../../agents/reading/saved/historyWriter';
import type { FileRunInfo } from '../../past/files/fileRunInfo';
import { RunLogSink } from '../../past/files/runLogSink';
import { readInto } from '../../past/readInto';
import type { Redaction } from '../../redact/redactorFor';
import { redactorFor } from '../../redact/redactorFor';
import { RunLog } from '../../runLog/runLog';
import { RecordStore } from '../../store/store';
import type { LogRecord } from '../../text/record';
import { shownLine } from '../../text/text';
import type { Span } from '../../timeline/span';
import { numberOf } from '../../timeline/span';
import type { OtlpSource } from '../otlpRecord';
import { logSignal, spanSignal } from '../otlpSender';
import type { Outbox } from './outbox';
import { SendingStopped } from './sendingStopped';
import type { RunProgress } from './runProgress';
import { SpanNumbers } from './spanNumbers';

/** Approximate limit for the records of a run in memory, in bytes: they are sent as they are read. */
const maxMemory = 4 * 1024 * 1024;
/** A turn that is open and whose session changed so lately may go on, in milliseconds. */
const maxIdle = 600_000;
const maxName = 100;

export interface Outboxes {
  readonly records: Outbox<ReadableLogRecord>;
  readonly spans: Outbox<ReadableSpan>;
}

export interface ReadingOptions {
  readonly outboxes: Outboxes;
  readonly redaction: Redaction | undefined;
  /** Attributes of the user for all resources. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Shorter IDs of sessions are only unique on their machine. */
const minUniqueId = 16;

/**
 * Identifies a run to collectors and in the memory of what was sent, in whatever folder it is: a session by its agent, its ID and the name of
 * its file, a journal by its name.
 */
export function runKey({ saved, paths: [path = ''] }: FileRunInfo): string {
  const isUnique = !saved || saved.sessionId.length >= minUniqueId;
  const names = [
    ...(saved ? [saved.agent, saved.sessionId] : []),
    ...(isUnique ? [basename(path)] : [hostname(), path]),
  ];
  return createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 32);
}

/** Last change and size of a run's files. */
export function stampOf({ modifiedAt, size }: FileRunInfo): string {
  return `${Math.round(modifiedAt)} ${size}`;
}

/** Whether an agent may add to a run. */
function goesOn({ saved, modifiedAt, writer, termination }: FileRunInfo, now: number): boolean {
  if (!saved) return writer !== undefined && termination === undefined;
  return saved.isRunning || ((saved.outcome ?? 'open') === 'open' && now - modifiedAt < maxIdle);
}

/** Reads a run and puts into the outboxes what wasn't sent before. */
export class RunReading {
  private readonly log: RunLog;
  private readonly id: string;
  private readonly toRecord: (record: LogRecord) => ReadableLogRecord | undefined;
  private readonly toSpan: (span: Span) => ReadableSpan | undefined;
  private readonly goesOn: boolean;
  private ended: Span[] = [];
  /** Those to which the records of a slice may belong. */
  private turns: readonly Span[] = [];
  private readonly seen = new SpanNumbers();

  constructor(
    private readonly info: FileRunInfo,
    private readonly progress: RunProgress,
    private readonly options: ReadingOptions,
  ) {
    this.id = runKey(info);
    this.goesOn = goesOn(info, options.now);
    this.log = new RunLog(new RecordStore(maxMemory), info.startedAt);
    const source: OtlpSource = {
      attributes: { ...options.attributes, ...attributesOf(info, this.id) },
      raw: (seq) => this.log.store.raw(seq),
      span: (id) => this.log.span(id),
      spanAt: (record) => this.turnOf(record),
    };
    this.toRecord = logSignal.converter(source);
    this.toSpan = spanSignal.converter(source);
    this.log.onSpanEnded((span) => this.ended.push(span));
    this.log.onDidChange(({ records }) => this.take(records));
  }

  /**
   * Sends what fills requests meanwhile.
   * @throws SendingStopped, or if the run can't be read
   */
  async read(): Promise<void> {
    const { info, log, progress, options, goesOn: continues } = this;
    const { redaction, signal } = options;
    await readInto(info, new RunLogSink(log, info.startedAt), {
      protocol: info.header && info.protocol,
      redactor: redaction && redactorFor(redaction),
      isRunning: () => continues,
      onLinesEnd: () => {
        log.flush();
        progress.linesEnd(log.lastSeq);
      },
      onSlice: async () => {
        log.flush();
        await this.send();
      },
      signal,
    });
    if (signal.aborted) throw new SendingStopped();
    log.flush();
    const spans = continues ? [] : log.spans();
    // Nothing will end those that are open.
    this.takeSpans(spans);
    progress.end(continues ? undefined : Math.max(0, ...spans.slice(-1).map(numberOf)));
    await this.send();
  }

  private async send(): Promise<void> {
    const { records, spans } = this.options.outboxes;
    await records.sendFull();
    await spans.sendFull();
  }

  private take(records: readonly LogRecord[]): void {
    const { progress, log } = this;
    this.takeSpans(this.ended);
    this.ended = [];
    const [first] = records;
    this.turns = first ? log.spans({ kinds: ['turn'], since: first.receivedAt }) : [];
    for (const record of records) {
      if (progress.isRecordSent(record.seq) || isOfHistory(record)) continue;
      const item = this.toRecord(record);
      if (item) this.putRecord(item, record.seq);
    }
  }

  private putRecord(item: ReadableLogRecord, seq: number): void {
    const { progress, options, id } = this;
    // What follows the lines gives way to the next lines.
    const uid = progress.isMore(seq) ? `${id}-${seq}-${stampOf(this.info).replace(' ', '-')}` : `${id}-${seq}`;
    const unique = { ...item, attributes: { ...item.attributes, 'log.record.uid': uid } };
    options.outboxes.records.add({ item: unique, size: logSignal.sizeOf(unique), run: progress, number: seq });
  }

  private takeSpans(spans: readonly Span[]): void {
    const { progress, seen, options } = this;
    for (const span of spans) {
      const number = numberOf(span);
      if (seen.has(number)) continue;
      seen.add(number);
      const item = progress.isSpanSent(number) ? undefined : this.toSpan(span);
      if (item) options.outboxes.spans.add({ item, size: spanSignal.sizeOf(item), run: progress, number });
    }
  }

  private turnOf({ sessionId, seq }: LogRecord): Span | undefined {
    return this.turns.findLast(
      (turn) =>
        turn.sessionId === sessionId && turn.firstSeq <= seq && (turn.endedAt === undefined || seq <= turn.lastSeq),
    );
  }
}

function attributesOf({ saved, cwd, name, header }: FileRunInfo, id: string): Readonly<Record<string, string>> {
  const project = basename(cwd.replaceAll('\\', '/'));
  return {
    'service.name': saved?.agentName ?? name,
    'service.instance.id': id,
    'agent_logs.source': saved ? 'session' : header ? 'journal' : 'file',
    ...(project !== '' && { 'agent_logs.project': shownLine(project, maxName) }),
  };
}
