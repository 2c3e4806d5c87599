import { isObject, objectOf, textOf } from '../../text/json';
import type { ChangeKind, FileChange } from '../../work/changes/fileChange';
import {
  changesOfCall,
  deletedFile,
  maxFiles,
  movedFile,
  namedFile,
  patchedFile,
  writtenFile,
} from '../../work/changes/fileChange';
import { unifiedHunks } from '../../work/changes/patches';

const kinds: ReadonlyMap<unknown, ChangeKind> = new Map([
  ['add', 'created'],
  ['delete', 'deleted'],
  ['update', 'edited'],
]);

/**
 * The files of a patch: by path, each with its text or a diff (rollouts and ACP), or a list of paths (`codex exec`). In older rollouts, the type
 * is a field's name: `{"add":{"content":…}}`.
 */
export function changesOf(changes: unknown): readonly FileChange[] | undefined {
  if (Array.isArray(changes)) {
    const files = (changes as unknown[]).slice(0, maxFiles).map(objectOf);
    return changesOfCall(
      files.flatMap(({ path, kind, diff }) => {
        const name = textOf(path);
        const type = isObject(kind) ? kind['type'] : kind;
        if (name === undefined) return [];
        return typeof diff === 'string'
          ? [changeOf(name, { type, content: diff, unified_diff: diff })]
          : [namedFile(name, kinds.get(type) ?? 'edited')];
      }),
    );
  }
  return changesOfCall(
    Object.entries(objectOf(changes))
      .slice(0, maxFiles)
      .map(([path, change]) => changeOf(path, objectOf(change))),
  );
}

function changeOf(path: string, change: Readonly<Record<string, unknown>>): FileChange {
  const old = Object.entries(change).find(([name, inner]) => kinds.has(name) && isObject(inner));
  const { type, content, unified_diff: diff, move_path: to } = old ? { ...objectOf(old[1]), type: old[0] } : change;
  const text = typeof content === 'string' ? content : undefined;
  if (type === 'add' && text !== undefined) return writtenFile(path, text, '');
  if (type === 'delete') return deletedFile(path, text);
  const hunks = typeof diff === 'string' ? unifiedHunks(diff) : [];
  if (typeof to === 'string' && to !== '') return movedFile(path, to, hunks);
  return hunks.length > 0 ? patchedFile(path, hunks) : namedFile(path, kinds.get(type) ?? 'edited');
}
