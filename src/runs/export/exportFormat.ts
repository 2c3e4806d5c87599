/** `journal`: the wire, as it was kept. `text`: a line for each record. `jsonl`: each record as JSON (NDJSON). */
export const exportFormats = ['journal', 'text', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];
