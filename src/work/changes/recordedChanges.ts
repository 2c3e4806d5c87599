import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import type { FileChange, Hunk } from './fileChange';
import { changesOfCall, patchedFile, writtenFile } from './fileChange';
import { hunkOf, newFile, unifiedHunks } from './patches';

/** What a record has of one file: both of its texts, or a unified diff. */
interface RecordedFile {
  readonly path: unknown;
  /** Anything but a text is unknown. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly diff?: unknown;
  /** It didn't exist before. */
  readonly isNew?: boolean;
}

export function recordedChange({ path, before, after, diff, isNew }: RecordedFile): readonly FileChange[] | undefined {
  const name = textOf(path);
  if (name === undefined) return undefined;
  const known = isNew === true ? '' : typeof before === 'string' ? before : undefined;
  if (typeof after === 'string' && known !== undefined) {
    return changesOfCall([writtenFile(name, after, known)]);
  }
  const hunks = typeof diff === 'string' ? unifiedHunks(diff) : [];
  if (hunks.length === 0) return undefined;
  return changesOfCall([isNew === true ? newFile(name, hunks) : patchedFile(name, hunks)]);
}

/** Hunks as the npm package `diff` makes them: `[{oldStart, oldLines, lines}]`. */
export function structuredHunks(patch: unknown): readonly Hunk[] {
  return arrayOf(patch)
    .slice(0, 1000)
    .map((hunk) => hunkOf(arrayOf(objectOf(hunk)['lines']).filter((line) => typeof line === 'string')));
}

/** A text after such hunks; `undefined` if they don't fit. */
export function patchedText(before: string, patch: unknown): string | undefined {
  const lines = before.split('\n');
  const parts: string[] = [];
  let at = 0;
  for (const hunk of arrayOf(patch).map(objectOf)) {
    const { oldStart, oldLines }: JsonObject = hunk;
    if (typeof oldStart !== 'number' || typeof oldLines !== 'number') return undefined;
    const from = Math.max(0, oldLines === 0 ? oldStart : oldStart - 1);
    if (from < at || from + oldLines > lines.length) return undefined;
    const own = arrayOf(hunk['lines']).filter((line) => typeof line === 'string');
    parts.push(...lines.slice(at, from), ...own.flatMap((line) => (/^[-\\]/.test(line) ? [] : line.slice(1))));
    at = from + oldLines;
  }
  return [...parts, ...lines.slice(at)].join('\n');
}
