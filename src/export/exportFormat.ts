/** `journal`: the recorded traffic. `text`: one line per record. `jsonl`: one JSON object per record (NDJSON). */
export const exportFormats = ['journal', 'text', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `chrome`: Trace Event JSON, for Perfetto and `chrome://tracing`. `otlp`: OpenTelemetry's traces as OTLP/JSON. */
export const traceFormats = ['chrome', 'otlp'] as const;
export type TraceFormat = (typeof traceFormats)[number];
