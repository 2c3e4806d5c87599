/** `journal`: the recorded traffic. `text`: one line per record. `jsonl`: one JSON object per record (NDJSON). */
export const exportFormats = ['journal', 'text', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];
