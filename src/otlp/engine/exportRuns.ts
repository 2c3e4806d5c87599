import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { FileRunInfo } from '../../past/files/fileRunInfo';
import type { Redaction } from '../../redact/redactorFor';
import { redactorFor } from '../../redact/redactorFor';
import { redactedWords } from '../../runLog/reading/redactEvent';
import { messageOf } from '../../text/humanError';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type { OtlpSend } from '../otlpHttp';
import { Outbox } from './outbox';
import type { Parcel, RequestTime } from './requestSender';
import { RequestSender } from './requestSender';
import { SendingStopped } from './sendingStopped';
import { RunProgress } from './runProgress';
import type { Outboxes } from './runReading';
import { runKey, RunReading, stampOf } from './runReading';
import type { SentMemory } from './sentMemory';

export interface RunExport {
  readonly sendRecords: OtlpSend<ReadableLogRecord>;
  readonly sendSpans: OtlpSend<ReadableSpan>;
  /** Of a request; by default, as many as OpenTelemetry's processors send. */
  readonly maxItems?: number;
  readonly memory: Pick<SentMemory, 'get' | 'set'>;
  readonly redaction: Redaction | undefined;
  /** Attributes of the user for all resources. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly time: RequestTime & { /** Milliseconds since the epoch. */ readonly now: () => number };
  readonly signal: AbortSignal;
  /** Called before each run. */
  readonly onProgress: (done: number) => void;
  /** A run can't be read. */
  readonly onProblem: (problem: Words) => void;
}

export interface ExportResult {
  /** Runs of which something was sent. */
  readonly sessions: number;
  readonly spans: number;
  readonly records: number;
  /** Runs of which nothing was new. */
  readonly unchanged: number;
  /** Runs of which something is left to send. */
  readonly left: number;
  /** Items that the collector rejected among others that it took. */
  readonly rejected: number;
  /** Why it stopped early, or what the collector last said about what it rejected. */
  readonly reason?: Words;
  /** Whether the user cancelled. */
  readonly isCancelled: boolean;
}

/**
 * Sends runs to a collector, one after the other, without what was sent before. The memory learns what the collector took before more is sent.
 */
export function exportRuns(runs: readonly FileRunInfo[], options: RunExport): Promise<ExportResult> {
  return new RunExporter(options).export(runs);
}

class RunExporter {
  private readonly records: RequestSender<ReadableLogRecord>;
  private readonly spans: RequestSender<ReadableSpan>;
  private readonly outboxes: Outboxes;
  private readonly begun: RunProgress[] = [];
  private unchanged = 0;

  constructor(private readonly options: RunExport) {
    const { sendRecords, sendSpans, time, signal, maxItems } = options;
    const noteRecord = (run: RunProgress, seq: number): void => run.recordSent(seq);
    const noteSpan = (run: RunProgress, number: number): void => run.spanSent(number);
    this.records = new RequestSender(sendRecords, (parcels) => this.taken(parcels, noteRecord), time, signal);
    this.spans = new RequestSender(sendSpans, (parcels) => this.taken(parcels, noteSpan), time, signal);
    this.outboxes = { records: new Outbox(this.records, maxItems), spans: new Outbox(this.spans, maxItems) };
  }

  async export(runs: readonly FileRunInfo[]): Promise<ExportResult> {
    let stopped: SendingStopped | undefined;
    try {
      for (const [index, info] of runs.entries()) {
        if (this.options.signal.aborted) throw new SendingStopped();
        this.options.onProgress(index);
        await this.exportRun(info);
      }
      await this.outboxes.records.sendAll();
      await this.outboxes.spans.sendAll();
    } catch (error) {
      if (!(error instanceof SendingStopped)) throw error;
      stopped = error;
    }
    return this.result(runs.length, stopped);
  }

  private async exportRun(info: FileRunInfo): Promise<void> {
    const { memory, time, onProblem, redaction } = this.options;
    const [key, stamp] = [runKey(info), stampOf(info)];
    const before = memory.get(key);
    if (before?.isDone === true && before.stamp === stamp) {
      this.unchanged++;
      return;
    }
    const progress = new RunProgress(key, stamp, before);
    const reading = new RunReading(info, progress, { ...this.options, outboxes: this.outboxes, now: time.now() });
    this.begun.push(progress);
    try {
      await reading.read();
    } catch (error) {
      if (error instanceof SendingStopped) throw error;
      progress.isIncomplete = true;
      const problem = t("{0} can't be read: {1}", info.paths[0] ?? info.name, messageOf(error));
      onProblem(redactedWords(problem, redaction && redactorFor(redaction)));
      return;
    }
    if (progress.isDone) await memory.set(new Map([[key, progress.position]]));
  }

  private async taken(
    parcels: readonly Parcel<unknown>[],
    note: (run: RunProgress, number: number) => void,
  ): Promise<void> {
    for (const { run, number } of parcels) note(run, number);
    await this.options.memory.set(new Map(parcels.map(({ run }) => [run.key, run.position])));
  }

  private result(count: number, stopped: SendingStopped | undefined): ExportResult {
    const { records, spans, begun, unchanged } = this;
    const reason = stopped?.words ?? spans.counts.reason ?? records.counts.reason;
    const untouched = count - unchanged - begun.length;
    return {
      sessions: begun.filter(({ sent }) => sent > 0).length,
      spans: spans.counts.accepted,
      records: records.counts.accepted,
      unchanged,
      left: untouched + begun.filter(({ isLeft }) => isLeft).length,
      rejected: spans.counts.rejected + records.counts.rejected,
      ...(reason && { reason }),
      isCancelled: stopped !== undefined && stopped.words === undefined,
    };
  }
}
