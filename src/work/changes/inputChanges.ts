import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { FileChange } from './fileChange';
import { changesOfCall, deletedFile, editedFile, maxFiles, movedFile, writtenFile } from './fileChange';
import { appliedPatch, unifiedDiff } from './patches';

// Tools of different agents take the same few inputs, under different names.
const fileNames = ['file_path', 'filePath', 'filepath', 'path', 'notebook_path', 'absolute_path', 'target_file', 'uri'];
const oldNames = ['old_string', 'oldString', 'old_str', 'oldStr', 'old_text', 'oldText', 'old', 'search'];
const newNames = ['new_string', 'newString', 'new_str', 'newStr', 'new_text', 'newText', 'new', 'replace'];
const wholeNames = ['content', 'contents', 'file_text', 'file_content', 'fileText', 'new_source', 'text'];
const patchNames = ['input', 'patch', 'patchText', 'patch_text', 'diff'];

const writes = /write|create|save|overwrite|notebook/i;
const deletes = /(?:delete|remove)[-_ ]?file|^delete$/i;
const moves = /(?:move|rename)[-_ ]?file/i;
/** Cline and others mark what is replaced like a conflict of Git. */
const replaced = /^[-<]{3,7} ?SEARCH>?\r?\n([\s\S]*?)^={3,7}\r?\n([\s\S]*?)^(?:>{3,7}|\+{3,7}) ?REPLACE>?/gm;

/**
 * What a tool with this name and input would change, as far as the input says. What a command of a shell changes isn't guessed.
 */
export function changesOfInput(name: string | undefined, input: unknown): readonly FileChange[] | undefined {
  if (typeof input === 'string') return changesOfCall(appliedPatch(input));
  if (!isObject(input) || isElsewhere(input)) return undefined;
  const path = first(input, fileNames);
  const patch = patchIn(input, path);
  if (patch.length > 0) return changesOfCall(patch);
  const listed = listedEdits(input, path);
  if (listed.length > 0) return changesOfCall(listed);
  const { source, destination } = input;
  if (moves.test(name ?? '') && typeof source === 'string' && typeof destination === 'string') {
    return [movedFile(source, destination)];
  }
  if (deletes.test(name ?? '')) return changesOfCall(pathsIn(input, path).map((each) => deletedFile(each)));
  const change = path === undefined ? undefined : changeOf(path, name ?? '', input);
  return change && changesOfCall([change]);
}

/** A dry run, or a file that isn't on this machine. */
function isElsewhere({ dryRun, dry_run: isDry = dryRun, repo, owner }: JsonObject): boolean {
  return isDry === true || (typeof repo === 'string' && typeof owner === 'string');
}

function changeOf(path: string, name: string, input: JsonObject): FileChange | undefined {
  const edit = pairIn(input);
  if (edit) return editedFile(path, [edit]);
  const { command, insert_text: inserted = input['new_str'], insert_line: line = input['insertLine'] } = input;
  if (numberOf(line) !== undefined && typeof inserted === 'string') return editedFile(path, [['', inserted]]);
  if (input['edit_mode'] === 'delete') return undefined;
  const text = wholeNames.map((each) => input[each]).find((each) => typeof each === 'string');
  if (text === undefined) return undefined;
  if ('new_source' in input) return editedFile(path, [['', text]]);
  const isWrite = typeof command === 'string' ? writes.test(command) : writes.test(name);
  return isWrite ? writtenFile(path, text) : undefined;
}

function patchIn(input: JsonObject, path: string | undefined): readonly FileChange[] {
  for (const each of patchNames) {
    const text = textOf(input[each]);
    if (text === undefined) continue;
    const files = appliedPatch(text);
    if (files.length > 0) return files;
    if (path === undefined || each !== 'diff') continue;
    const edits = [...text.matchAll(replaced)].map(([, before = '', after = '']) => [before, after] as const);
    if (edits.length > 0) return [editedFile(path, edits)];
    const diff = unifiedDiff(text, path);
    if (diff.length > 0) return diff;
  }
  return [];
}

/** Edits in a list, each with a file of its own or all of one file. */
function listedEdits(input: JsonObject, path: string | undefined): readonly FileChange[] {
  const { edits = input['replacements'] ?? input['edit'] ?? input['files'] } = input;
  const byFile = new Map<string, (readonly [string, string])[]>();
  const whole: FileChange[] = [];
  for (const each of isObject(edits) ? [edits] : arrayOf(edits).slice(0, 1000)) {
    const edit = objectOf(each);
    const file = first(edit, fileNames) ?? path;
    const pair = pairIn(edit);
    const { content } = edit;
    if (file === undefined) continue;
    if (pair) byFile.set(file, [...(byFile.get(file) ?? []), pair]);
    else if (typeof content === 'string' && file !== path) whole.push(writtenFile(file, content));
  }
  return [...[...byFile].map(([file, pairs]) => editedFile(file, pairs)), ...whole];
}

function pathsIn(input: JsonObject, path: string | undefined): readonly string[] {
  const listed = arrayOf(input['file_paths'] ?? input['paths']).flatMap((each) => textOf(each) ?? []);
  return path === undefined ? listed.slice(0, maxFiles) : [path];
}

function pairIn(input: JsonObject): readonly [before: string, after: string] | undefined {
  const [before, after] = [oldNames, newNames].map((names) => names.find((name) => typeof input[name] === 'string'));
  return before === undefined || after === undefined ? undefined : [String(input[before]), String(input[after])];
}

function first(input: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(input[name])).find((value) => value !== undefined);
}
