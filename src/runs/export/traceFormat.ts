import type { Span } from '../../timeline/span';

/** `chrome`: Trace Event JSON, for Perfetto and `chrome://tracing`. `otlp`: OpenTelemetry's traces as OTLP/JSON. */
export const traceFormats = ['chrome', 'otlp'] as const;
export type TraceFormat = (typeof traceFormats)[number];

/** The spans of a run. */
export interface RunTrace {
  readonly runId: string;
  /** The agent. */
  readonly name: string;
  /** In order of their start. */
  readonly spans: readonly Span[];
  /** Spans that haven't ended are written as if they ended now. Milliseconds since the epoch. */
  readonly now: number;
}
