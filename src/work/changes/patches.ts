import type { FileChange, Hunk } from './fileChange';
import { deletedFile, maxFiles, movedFile, patchedFile, writtenFile } from './fileChange';

/** Longer patches aren't read, in UTF-16 units. */
const maxPatch = 2_000_000;
const nowhere = '/dev/null';

/** The hunks of a unified diff of one file. Lines that are no part of a hunk are skipped. */
export function unifiedHunks(diff: string): readonly Hunk[] {
  return diff.length > maxPatch ? [] : hunksOf(diff.split(/\r?\n/), true);
}

/** A hunk of the lines of a diff. */
export function hunkOf(lines: readonly string[]): Hunk {
  const side = (other: string): string =>
    lines.flatMap((line) => (line.startsWith(other) || line.startsWith('\\') ? [] : line.slice(1))).join('\n');
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { before: side('+'), after: side('-'), added: count('+'), removed: count('-') };
}

/**
 * The files of a unified diff.
 * @param path of its only file, if that is known better
 */
export function unifiedDiff(diff: string, path?: string): readonly FileChange[] {
  if (diff.length > maxPatch) return [];
  const files = diff.split(/^(?=--- )/m).filter((part) => /^--- .*\n\+\+\+ /.test(part));
  return files.slice(0, maxFiles).flatMap((part) => {
    const [first = '', second = '', ...lines] = part.split(/\r?\n/);
    const [before, after] = [fileName(first), fileName(second)];
    const name = path ?? (after === nowhere ? before : after);
    const hunks = hunksOf(lines, true);
    if (before === nowhere) return [newFile(name, hunks)];
    if (after === nowhere) return [deletedFile(name, hunks.map((hunk) => hunk.before).join('\n'))];
    return [patchedFile(name, hunks)];
  });
}

const section = /^\*\*\* (?<what>Add|Update|Delete) File: (?<path>.+)$/;
const move = /^\*\*\* Move to: (?<path>.+)$/;

/** The files of a patch as `apply_patch` takes it. Empty if the text has none. */
export function appliedPatch(patch: string): readonly FileChange[] {
  const from = patch.indexOf('*** Begin Patch');
  if (from < 0 || patch.length > maxPatch) return [];
  const [, ...lines] = patch.slice(from).split(/\r?\n/);
  const files: { what: string; path: string; to?: string; lines: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('*** End Patch')) break;
    const { what, path } = section.exec(line)?.groups ?? {};
    const { path: to } = move.exec(line)?.groups ?? {};
    const file = files.at(-1);
    if (what !== undefined && path !== undefined) files.push({ what, path: path.trim(), lines: [] });
    else if (file && to !== undefined) file.to = to.trim();
    else if (!line.startsWith('*** ')) file?.lines.push(line);
  }
  return files.slice(0, maxFiles).map(({ what, path, to, lines: own }) => {
    if (what === 'Delete') return deletedFile(path);
    const hunks = hunksOf(own, false);
    if (what === 'Add') return newFile(path, hunks);
    return to === undefined ? patchedFile(path, hunks) : movedFile(path, to, hunks);
  });
}

/** A file that a patch creates. */
export function newFile(path: string, hunks: readonly Hunk[]): FileChange {
  const text = hunks.map(({ after }) => after).join('\n');
  return writtenFile(path, text === '' ? '' : `${text}\n`, '');
}

/** @param isMarked every hunk begins with `@@`; otherwise the first may not */
function hunksOf(lines: readonly string[], isMarked: boolean): readonly Hunk[] {
  const hunks: string[][] = isMarked ? [] : [[]];
  for (const line of lines) {
    if (line.startsWith('@@')) hunks.push([]);
    else if (/^[-+ \\]/.test(line)) hunks.at(-1)?.push(line);
    // Editors and models strip the space of an empty line.
    else if (line === '') hunks.at(-1)?.push(' ');
  }
  return hunks.flatMap((hunk) => {
    while (hunk.at(-1) === ' ') hunk.pop();
    return hunk.length === 0 ? [] : [hunkOf(hunk)];
  });
}

/** `b/src/a.ts` of `+++ b/src/a.ts	2026-11-28`. */
function fileName(line: string): string {
  const name = (line.slice(4).split('\t')[0] ?? '').trim();
  return name === '/dev/null' || name === 'a/dev/null' ? nowhere : name.replace(/^[ab]\//, '');
}
