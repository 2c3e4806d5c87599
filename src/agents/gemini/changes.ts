import { objectOf, textOf } from '../../text/json';
import type { FileChange } from '../../work/changes/fileChange';
import { recordedChange } from '../../work/changes/recordedChanges';

/** The file that `resultDisplay` of a call shows. */
export function changesOfDisplay(display: unknown): readonly FileChange[] | undefined {
  const {
    filePath,
    fileName,
    originalContent: before,
    newContent: after,
    fileDiff: diff,
    isNewFile,
  } = objectOf(display);
  const isNew = isNewFile === true || (before === null && typeof after === 'string');
  return recordedChange({ path: textOf(filePath) ?? fileName, before, after, diff, isNew });
}
