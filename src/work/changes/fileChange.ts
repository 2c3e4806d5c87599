import { ownCopy, ownHead, ownKey } from '../../text/ownText';
import type { LineCounts } from './lineCounts';
import { lineCounts, linesOf } from './lineCounts';

/** `written`: its new text is known, and not whether it existed before. */
export type ChangeKind = 'created' | 'edited' | 'written' | 'deleted' | 'moved';

/** A file that a tool call changed. */
export interface ChangedFile extends LineCounts {
  /** As the agent names it. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** Of a file that was moved: where it was. */
  readonly from?: string;
  /** The record names the file and no text, so its lines don't count. */
  readonly isUncounted?: true;
}

/** What a tool call did to a file, as the agent recorded it. */
export interface FileChange extends ChangedFile {
  /** Absent if the record has no text. */
  readonly texts?: ChangeTexts;
}

/** Two texts to be compared. */
export interface ChangeTexts {
  /** Absent if unknown, as of a file that was overwritten. */
  readonly before?: string;
  readonly after: string;
  /** False if they are the changed parts of the file only, one below the other. */
  readonly isWhole: boolean;
}

/** A changed part of a file. */
export interface Hunk extends LineCounts {
  readonly before: string;
  readonly after: string;
}

/** Limits of one call: files, UTF-16 units of a path, and of each text. */
export const maxFiles = 50;
const maxChangePath = 500;
const maxText = 100_000;
const maxHunks = 200;
/** Between two parts, in both texts. */
const between = '\n⋯\n';

/** Replaced texts, such as those of an edit. */
export function editedFile(path: string, edits: readonly (readonly [before: string, after: string])[]): FileChange {
  const hunks = edits.slice(0, maxHunks).map(([before, after]) => ({ before, after, ...lineCounts(before, after) }));
  return patchedFile(path, hunks);
}

export function patchedFile(path: string, hunks: readonly Hunk[], kind: ChangeKind = 'edited'): FileChange {
  const text = (side: 'before' | 'after'): string => hunks.map((hunk) => hunk[side]).join(between);
  const sum = (side: keyof LineCounts): number => hunks.reduce((total, hunk) => total + hunk[side], 0);
  const counts = { added: sum('added'), removed: sum('removed') };
  const texts = { before: text('before'), after: text('after'), isWhole: false };
  return { path: ownKey(path, maxChangePath), kind, ...counts, ...(hunks.length > 0 && { texts: bounded(texts) }) };
}

/**
 * A file whose whole new text is known.
 * @param before its whole text before; `undefined` if unknown, empty if there was none
 */
export function writtenFile(path: string, after: string, before?: string, kind = kindOf(before)): FileChange {
  const counts = before === undefined ? { added: linesOf(after).length, removed: 0 } : lineCounts(before, after);
  const texts = { ...(before !== undefined && { before }), after, isWhole: true };
  return { path: ownKey(path, maxChangePath), kind, ...counts, texts: bounded(texts) };
}

/** @param before the whole text that was deleted, if it is known */
export function deletedFile(path: string, before?: string): FileChange {
  return before === undefined ? namedFile(path, 'deleted') : writtenFile(path, '', before, 'deleted');
}

/** A file of which only the name is recorded. */
export function namedFile(path: string, kind: ChangeKind): FileChange {
  return { path: ownKey(path, maxChangePath), kind, added: 0, removed: 0, isUncounted: true };
}

export function movedFile(from: string, to: string, hunks: readonly Hunk[] = []): FileChange {
  return { ...patchedFile(to, hunks, 'moved'), from: ownKey(from, maxChangePath) };
}

/** Those of a call that changed something; `undefined` if there are none. */
export function changesOfCall(changes: readonly FileChange[]): readonly FileChange[] | undefined {
  const real = changes.filter(
    ({ kind, added, removed, isUncounted }) => added + removed > 0 || kind !== 'edited' || isUncounted,
  );
  return real.length === 0 ? undefined : real.slice(0, maxFiles);
}

/** Of two reports about one call, the later, unless it knows less. */
export function laterChanges(
  known: readonly FileChange[] | undefined,
  news: readonly FileChange[] | undefined,
): readonly FileChange[] | undefined {
  if (!known || !news) return news ?? known;
  return knowledge(news) < knowledge(known) ? known : news;
}

/** Calls that have ended are kept, and their texts are with their spans. */
export function withoutTexts(changes: readonly FileChange[] | undefined): readonly ChangedFile[] | undefined {
  return changes?.map(({ texts: _texts, ...file }) => file);
}

function knowledge(changes: readonly FileChange[]): number {
  const most = ({ texts }: FileChange): number => (!texts ? 0 : texts.isWhole && texts.before !== undefined ? 2 : 1);
  return Math.max(...changes.map(most));
}

function kindOf(before: string | undefined): ChangeKind {
  return before === undefined ? 'written' : before === '' ? 'created' : 'edited';
}

/** Texts that are too long lose their ends, and aren't whole any more. */
function bounded({ before, after, isWhole }: ChangeTexts): ChangeTexts {
  const isCut = after.length > maxText || (before?.length ?? 0) > maxText;
  const cut = (text: string): string => (isCut ? ownHead(text, maxText) : ownCopy(text));
  return { ...(before !== undefined && { before: cut(before) }), after: cut(after), isWhole: isWhole && !isCut };
}
