import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import type { ChangeKind, FileChange } from '../../work/changes/fileChange';
import {
  changesOfCall,
  editedFile,
  laterChanges,
  maxFiles,
  movedFile,
  namedFile,
  writtenFile,
} from '../../work/changes/fileChange';
import { changesOfInput } from '../../work/changes/inputChanges';
import { unifiedDiff } from '../../work/changes/patches';

const maxBlocks = 100;
const kinds: ReadonlyMap<unknown, ChangeKind> = new Map([
  ['add', 'created'],
  ['copy', 'created'],
  ['delete', 'deleted'],
  ['modify', 'edited'],
]);

/** The files that a tool call changes, by its diffs, or else by its input. */
export function changesOfUpdate(update: JsonObject, name: string | undefined): readonly FileChange[] | undefined {
  const diffs = arrayOf(update['content'])
    .slice(0, maxBlocks)
    .map(objectOf)
    .filter(({ type }) => type === 'diff');
  const shown = changesOfCall(
    diffs.flatMap((diff) => (Array.isArray(diff['changes']) ? listed(diff) : compared(diff))),
  );
  return laterChanges(changesOfInput(name, update['rawInput']), shown);
}

/** The file of `fs/write_text_file`. */
export function changesOfRequest(method: string, { path, content }: JsonObject): readonly FileChange[] | undefined {
  if (method !== 'fs/write_text_file' || textOf(path) === undefined || typeof content !== 'string') return undefined;
  return [writtenFile(String(path), content)];
}

/** A diff of version 1. Agents may send a whole file or a part of it. */
function compared({ path, oldText, newText }: JsonObject): readonly FileChange[] {
  const name = textOf(path);
  if (name === undefined || typeof newText !== 'string') return [];
  return typeof oldText === 'string' ? [editedFile(name, [[oldText, newText]])] : [writtenFile(name, newText, '')];
}

/** A diff of version 2: names the files, and may have a patch. */
function listed({ changes, patch }: JsonObject): readonly FileChange[] {
  const { format, text } = objectOf(patch);
  const patched = format === 'git_patch' && typeof text === 'string' ? unifiedDiff(text) : [];
  return arrayOf(changes)
    .slice(0, maxFiles)
    .map(objectOf)
    .flatMap(({ path, oldPath, operation }) => {
      const name = textOf(path);
      if (name === undefined) return [];
      const known = patched.find((file) => name.endsWith(file.path));
      const from = operation === 'move' ? textOf(oldPath) : undefined;
      const own = from === undefined ? namedFile(name, kinds.get(operation) ?? 'edited') : movedFile(from, name);
      return [known ? { ...known, path: name, kind: own.kind, ...(from !== undefined && { from }) } : own];
    });
}
