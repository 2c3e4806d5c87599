import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { ExportResult, RunExport } from '../../src/otlp/engine/exportRuns';
import { exportRuns } from '../../src/otlp/engine/exportRuns';
import { pastRuns } from '../../src/otlp/engine/pastRuns';
import type { SentPosition } from '../../src/otlp/engine/sentMemory';
import type { OtlpSendResult } from '../../src/otlp/otlpHttp';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import { inEnglish } from '../../src/text/translator';
import { savedHomeOptions } from './savedHome';

/** A collector in memory, what was sent to it and the memory of that. */
export class Exported {
  readonly records: ReadableLogRecord[] = [];
  readonly spans: ReadableSpan[] = [];
  readonly positions = new Map<string, SentPosition>();
  readonly problems: string[] = [];
  readonly waits: string[] = [];
  /** Results of the next requests; it takes all others. */
  results: OtlpSendResult[] = [];
  requests = 0;
  now = 1_796_000_000_000;
  stopping = new AbortController();

  /** Exports the sessions in a home folder, as its agents save them. */
  async exportHome(home: string, options: Partial<RunExport> = {}): Promise<ExportResult> {
    const sessions = new SavedSessions(savedHomeOptions(home));
    const { signal } = this.stopping;
    const sources = { sessions, journals: () => Promise.resolve([]), redaction: undefined };
    const runs = await pastRuns(sources, undefined, (problem) => this.problems.push(inEnglish(problem)), signal);
    return exportRuns(runs, { ...this.options, ...options });
  }

  /** What identifies each record and span. */
  get ids(): readonly string[] {
    return [
      ...this.records.map(({ attributes }) => attributes['log.record.uid'] as string),
      ...this.spans.map((span) => `${span.spanContext().traceId} ${span.spanContext().spanId}`),
    ];
  }

  /** What they say, without what identifies them. */
  get contents(): readonly string[] {
    const records = this.records.map(({ hrTime, body, attributes }) => {
      const { 'log.record.uid': _, ...others } = attributes;
      return JSON.stringify([hrTime, body, others]);
    });
    const spans = this.spans.map(({ name, startTime, endTime, attributes }) =>
      JSON.stringify([name, startTime, endTime, attributes]),
    );
    return [...records, ...spans];
  }

  get options(): RunExport {
    return {
      sendRecords: (items) => this.take(items, this.records),
      sendSpans: (items) => this.take(items, this.spans),
      memory: {
        get: (run) => this.positions.get(run),
        set: (changed) => {
          for (const [run, position] of changed) this.positions.set(run, position);
          return Promise.resolve();
        },
      },
      redaction: undefined,
      attributes: {},
      time: {
        now: () => this.now,
        sleep: () => new Promise((resolve) => setImmediate(resolve)), // later than an answer that is there
        onWait: (reason) => this.waits.push(inEnglish(reason)),
      },
      signal: this.stopping.signal,
      onProgress: () => undefined,
      onProblem: (problem) => this.problems.push(inEnglish(problem)),
    };
  }

  private take<Item>(items: readonly Item[], into: Item[]): Promise<OtlpSendResult> {
    this.requests++;
    const result = this.results.shift() ?? { type: 'sent' };
    if (result.type === 'sent') into.push(...items.slice(result.rejected ?? 0));
    return Promise.resolve(result);
  }
}
