import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import type { FileChange } from '../../work/changes/fileChange';
import { changesOfCall, patchedFile } from '../../work/changes/fileChange';
import { patchedText, recordedChange, structuredHunks } from '../../work/changes/recordedChanges';

/** The file that a call of Edit, MultiEdit or Write changed, by `toolUseResult` (saved) or `tool_use_result` (stream). */
export function changesOfResult({
  toolUseResult,
  tool_use_result: result = toolUseResult,
}: JsonObject): readonly FileChange[] | undefined {
  const { type, filePath, originalFile: before, content, structuredPatch } = objectOf(result);
  const path = textOf(filePath);
  if (path === undefined || !Array.isArray(structuredPatch)) return undefined;
  const after = type === 'create' || typeof before !== 'string' ? content : patchedText(before, structuredPatch);
  const hunks = structuredHunks(structuredPatch);
  return (
    recordedChange({ path, before, after, isNew: type === 'create' }) ??
    (hunks.length === 0 ? undefined : changesOfCall([patchedFile(path, hunks)]))
  );
}
