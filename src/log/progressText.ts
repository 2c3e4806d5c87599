import { oneLine } from './text';

/** How far something has come (MCP "Progress"). */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** `40 % · copying`, `3 of ? · …`, or only the message if there is no number. */
export function progressText({ progress, total, message }: Progress): string {
  const known = total !== undefined && total > 0 && Number.isFinite(progress);
  const percent = known ? [`${Math.max(0, Math.min(100, Math.round((100 * progress) / total)))} %`] : [];
  const words = message === undefined ? '' : oneLine(message, 100);
  return [...percent, ...(words === '' ? [] : [words])].join(' · ');
}
