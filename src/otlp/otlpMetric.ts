import type { IExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import type { Span } from '../timeline/span';
import type { OtlpSource } from './otlpRecord';
import type { Operation } from './otlpSpan';
import { agentNameOf, errorTypeOf, operationOf, otlpScope, wellFormed } from './otlpSpan';

type Attributes = Readonly<Record<string, string | boolean>>;

interface DurationMetric {
  readonly name: string;
  readonly description: string;
  /** Upper bounds of the buckets, inclusive, in seconds. */
  readonly bounds: readonly number[];
}

/** The metrics of the GenAI conventions for durations that we know, by `gen_ai.operation.name`, with their bucket boundaries. */
const metrics: Readonly<Partial<Record<Operation, DurationMetric>>> = {
  invoke_agent: {
    name: 'gen_ai.invoke_agent.duration',
    description: 'The end-to-end duration of a single agent invocation.',
    bounds: [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6],
  },
  execute_tool: {
    name: 'gen_ai.execute_tool.duration',
    description: 'The duration of a single tool execution.',
    bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
};

/** Agents choose the names of their tools. Beyond this many series of a run, durations go to one with the attribute that OpenTelemetry's SDKs set. */
const maxSeries = 500;
const overflow: Attributes = { 'otel.metric.overflow': true };

/** How long a span took, to be counted in a series of its run. */
export interface OtlpDuration {
  readonly run: RunDurations;
  readonly series: Series;
  readonly seconds: number;
}

/** Durations with the same attributes. */
interface Series {
  readonly metric: DurationMetric;
  readonly attributes: Attributes;
}

interface Histogram {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly buckets: readonly number[];
}

/** The series of one run, and what the collector has acknowledged of each. */
export class RunDurations {
  private readonly series = new Map<string, Series>();
  readonly acknowledged = new Map<Series, Histogram>();
  /** When counting started, or for deltas when the last request was made, in milliseconds since the epoch. */
  since: number;

  constructor(
    readonly source: OtlpSource,
    startedAt: number,
  ) {
    this.since = startedAt;
  }

  /** `undefined` if no metric counts it. */
  durationOf(span: Span): OtlpDuration | undefined {
    const operation = operationOf(span);
    const metric = operation && metrics[operation];
    if (!metric || span.endedAt === undefined) return undefined;
    const series = this.seriesOf(metric, this.attributesOf(span));
    return { run: this, series, seconds: Math.max(0, span.endedAt - span.startedAt) / 1000 };
  }

  private attributesOf(span: Span): Attributes {
    const agent = agentNameOf(span, this.source);
    const errorType = errorTypeOf(span);
    return {
      ...(agent !== undefined && { 'gen_ai.agent.name': agent }),
      // The convention requires it.
      ...(span.kind === 'tool' && { 'gen_ai.tool.name': wellFormed(span.toolName ?? 'unknown') }),
      ...(errorType !== undefined && { 'error.type': errorType }),
    };
  }

  private seriesOf(metric: DurationMetric, attributes: Attributes): Series {
    const key = JSON.stringify([metric.name, attributes]);
    const known = this.series.get(key);
    if (known) return known;
    if (this.series.size >= maxSeries && attributes !== overflow) return this.seriesOf(metric, overflow);
    const series = { metric, attributes };
    this.series.set(key, series);
    return series;
  }
}

/**
 * Makes requests of durations: a histogram for each series that has new ones. Cumulative like OpenTelemetry's exporters by default, which backends
 * such as Prometheus need; a request that is repeated counts nothing twice.
 */
export class DurationRequests {
  /** @param now milliseconds since the epoch */
  constructor(
    private readonly isDelta: boolean,
    private readonly now: () => number,
  ) {}

  /** An `ExportMetricsServiceRequest` as OTLP/JSON. OpenTelemetry's serializer takes one run at a time. */
  serialize(items: readonly OtlpDuration[]): Uint8Array {
    const time = nanoseconds(this.now());
    const resourceMetrics = [...byRun(items)].map(([run, series]) => ({
      resource: { attributes: keyValues(run.source.attributes), droppedAttributesCount: 0 },
      scopeMetrics: [{ scope: otlpScope, metrics: this.metricsOf(run, series, time) }],
    }));
    return new TextEncoder().encode(JSON.stringify({ resourceMetrics }));
  }

  /** The collector has counted these. */
  acknowledge(items: readonly OtlpDuration[]): void {
    for (const [run, series] of byRun(items)) {
      if (this.isDelta) run.since = this.now();
      else for (const [one, seconds] of series) run.acknowledged.set(one, this.totalOf(run, one, seconds));
    }
  }

  private metricsOf(
    run: RunDurations,
    series: ReadonlyMap<Series, readonly number[]>,
    time: string,
  ): readonly object[] {
    return Object.values(metrics).flatMap((metric) => {
      const own = [...series].filter(([one]) => one.metric === metric);
      if (own.length === 0) return [];
      const dataPoints = own.map(([one, seconds]) => {
        const { buckets, ...total } = this.totalOf(run, one, seconds);
        return {
          attributes: keyValues(one.attributes),
          startTimeUnixNano: nanoseconds(run.since),
          timeUnixNano: time,
          ...total,
          bucketCounts: buckets,
          explicitBounds: metric.bounds,
        };
      });
      const { name, description } = metric;
      return [
        { name, description, unit: 's', histogram: { aggregationTemporality: this.isDelta ? 1 : 2, dataPoints } },
      ];
    });
  }

  private totalOf(run: RunDurations, series: Series, seconds: readonly number[]): Histogram {
    const before = this.isDelta ? undefined : run.acknowledged.get(series);
    const { bounds } = series.metric;
    const buckets = before ? [...before.buckets] : Array.from({ length: bounds.length + 1 }, () => 0);
    for (const one of seconds) {
      const found = bounds.findIndex((bound) => one <= bound);
      const index = found < 0 ? bounds.length : found;
      buckets[index] = (buckets[index] ?? 0) + 1;
    }
    return {
      count: (before?.count ?? 0) + seconds.length,
      sum: seconds.reduce((sum, one) => sum + one, before?.sum ?? 0),
      min: Math.min(before?.min ?? Infinity, ...seconds),
      max: Math.max(before?.max ?? 0, ...seconds),
      buckets,
    };
  }
}

/** For the exporter's metrics about itself. */
export const durationMetricsHelper: IExporterMetricsHelper<readonly OtlpDuration[]> = {
  name: 'metric_data_point',
  countItems: (items) => items.length,
};

/** The durations of each series, by run. */
function byRun(items: readonly OtlpDuration[]): ReadonlyMap<RunDurations, ReadonlyMap<Series, readonly number[]>> {
  const runs = new Map<RunDurations, Map<Series, number[]>>();
  for (const { run, series, seconds } of items) {
    const own = runs.get(run) ?? new Map<Series, number[]>();
    runs.set(run, own);
    const known = own.get(series);
    if (known) known.push(seconds);
    else own.set(series, [seconds]);
  }
  return runs;
}

function keyValues(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'boolean' ? { boolValue: value } : { stringValue: wellFormed(value) },
  }));
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}
