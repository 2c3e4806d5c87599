import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import type { ChangeKind, FileChange } from '../../work/changes/fileChange';
import { changesOfCall, maxFiles, movedFile, namedFile } from '../../work/changes/fileChange';
import { unifiedHunks } from '../../work/changes/patches';
import { recordedChange } from '../../work/changes/recordedChanges';

const kinds: ReadonlyMap<unknown, ChangeKind> = new Map([
  ['add', 'created'],
  ['added', 'created'],
  ['delete', 'deleted'],
  ['deleted', 'deleted'],
  ['move', 'moved'],
]);

/** The files that a call of `edit`, `write`, `multiedit` or `apply_patch` changed, by the metadata of its state. */
export function changesOfState(state: JsonObject): readonly FileChange[] | undefined {
  const { filediff, diff, filepath, exists, files, results } = objectOf(state['metadata']);
  const { content } = objectOf(state['input']);
  const listed = [
    ...arrayOf(files),
    ...arrayOf(results).map((each) => objectOf(objectOf(each)['metadata'])['filediff']),
  ];
  const each = listed.slice(0, maxFiles).flatMap((file) => fileOf(objectOf(file)) ?? []);
  if (each.length > 0) return changesOfCall(each);
  const own = objectOf(filediff);
  const path = textOf(own['file']) ?? textOf(filepath);
  // Version 1 saves both texts, later ones a patch.
  const { before, after, patch = diff } = own;
  if (exists === false) return recordedChange({ path, after: content, isNew: true });
  return path === undefined ? undefined : recordedChange({ path, before, after, diff: patch });
}

function fileOf(file: JsonObject): readonly FileChange[] | undefined {
  const path = textOf(file['filePath']) ?? textOf(file['file']) ?? textOf(file['relativePath']);
  const { type, before, after, patch = file['diff'], movePath } = file;
  const to = textOf(movePath);
  if (path === undefined) return undefined;
  if (to !== undefined) return [movedFile(path, to, typeof patch === 'string' ? unifiedHunks(patch) : [])];
  const kind = kinds.get(type) ?? 'edited';
  const [change] = recordedChange({ path, before, after, diff: patch, isNew: kind === 'created' }) ?? [];
  return [change ? { ...change, kind } : namedFile(path, kind)];
}
