import { deepJson } from '../../../text/jsonText';
import { dirname, join } from 'node:path';
import { documentLines, filesFormOf, formOf } from '../../../agents/agents';
import type { SaverId } from '../../../agents/agents';
import type { SavedDetails } from '../../../agents/savedDetails';
import type { AboutSession, ChangesForm } from '../../../agents/savedForm';
import { jsonValueOf } from '../../../wire/jsonValue';
import { decompressedHead, isCompressed } from '../compressed';
import { readLines, savedDetails } from './savedDetails';
import { withId } from '../savedMembers';
import type { SavedFs } from './savedFs';
import type { SavedFile } from '../savedSession';
import type { MarkCopies } from '../unmarkedCopies';
import { UnmarkedCopies } from '../unmarkedCopies';

/** How much to read from the beginning and end of a file unless its agent says otherwise, in bytes. */
const usualEnds = { head: 16 * 1024, tail: 16 * 1024 };
/** How much more to read if that doesn't say how the last turn stands, in bytes: agents write snapshots and sums after it. */
const longTails = [256 * 1024, 1024 * 1024];
/** How much of a fork to read to find its own beginning, in bytes. */
const maxHistory = 1024 * 1024;
/** Maximum size of a small file beside a session, or of a document, in bytes. */
const maxAbout = 1024 * 1024;
const maxFolderFile = 4096;
/** Maximum size of a log of changes to replay, in bytes. */
const maxReplayed = 320 * 1024;
/** The same, for one that is watched. */
const maxWatched = 4 * 1024 * 1024;
/** How much to read from the end of a file for its newest turn, in bytes. */
const turnTail = 64 * 1024;
/** How much to read from the beginning and end of a larger one, in bytes. */
const changesHead = 64 * 1024;
const changesTail = 256 * 1024;

/**
 * Reads a session's details from the beginning and end of its file, and from the files beside it.
 * @throws if the file can't be read
 */
export async function readDetails(
  file: SavedFile,
  fs: SavedFs,
  copies = new UnmarkedCopies(fs),
): Promise<AboutSession> {
  const form = formOf(file.agent);
  const { isEnough = false } = filesFormOf(file.agent).about ?? {};
  const about = file.about === undefined ? {} : await readAbout(file.agent, file.about, fs);
  if (isEnough && about.outcome !== undefined) {
    return about.outcome === 'error' ? { ...about, ...(await whyFailed(file, fs)) } : about;
  }
  const ends = { ...file, ...forkIn(about) };
  const found = await readEnds(ends, fs);
  const mark = await copies.markerFor(file.agent, file.path, found.version);
  const own = { ...(mark ? await readEnds(ends, fs, mark) : found), ...about };
  if (form.type === 'database' || !form.folderFile || own.folder !== undefined) return own;
  const path = join(dirname(file.path), '..', form.folderFile.name);
  const text = (await fs.stat(path)) ? (await fs.read(path, 0, maxFolderFile)).toString('utf8') : '';
  const folder = form.folderFile.folder(text);
  return folder === undefined || folder === '' ? own : { ...own, folder };
}

/**
 * The first and the newest lines of a session, as JSON; empty for a log of changes that is too large.
 * @throws if the file can't be read
 */
export async function newestLines({ agent, id, path, size }: SavedFile, fs: SavedFs): Promise<readonly string[]> {
  const form = formOf(agent);
  const { ends: { head, tail } = usualEnds, naming } = filesFormOf(agent);
  if (path.endsWith('.json')) return documentAt(path, size, maxAbout, fs);
  const textAt = async (from: number, length: number): Promise<readonly string[]> => {
    const lines = (await fs.read(path, from, length)).toString('utf8').split('\n');
    return naming ? lines.map((line) => withId(line, { id }, naming)) : lines;
  };
  if (form.type === 'changes') return size > maxWatched ? [] : replayedLines(form.changes, await textAt(0, size));
  if (isCompressed(path)) return [];
  const length = Math.max(tail, turnTail);
  if (size <= head + length) return textAt(0, size);
  return [...(await textAt(0, head)).slice(0, -1), ...(await textAt(size - length, length)).slice(1)];
}

/** What a session used whose other details are beside it. */
export async function readUsed({ path, size }: SavedFile, fs: SavedFs): Promise<Pick<SavedDetails, 'used'>> {
  const { used } = savedDetails(await documentAt(path, size, maxAbout, fs));
  return used ? { used } : {};
}

/** A file beside a session doesn't say why it failed, or that the user interrupted it. */
async function whyFailed({ path, size }: SavedFile, fs: SavedFs): Promise<Pick<SavedDetails, 'outcome' | 'problem'>> {
  const { outcome, problem } = savedDetails(await documentAt(path, size, maxAbout, fs));
  const isKnown = outcome === 'cancelled' || outcome === 'error';
  return { ...(isKnown && { outcome }), ...(problem !== undefined && { problem }) };
}

/** Since when it is a fork of which session, if a file beside it says so. */
function forkIn({ forkedFrom, startedAt }: SavedDetails): Pick<SavedDetails, 'forkedFrom' | 'startedAt'> {
  return forkedFrom === undefined || startedAt === undefined ? {} : { forkedFrom, startedAt };
}

async function readEnds(file: SavedFile & SavedDetails, fs: SavedFs, mark?: MarkCopies): Promise<SavedDetails> {
  const { agent, path, size, modifiedAt } = file;
  const form = formOf(agent);
  const changes = form.type === 'changes' ? form.changes : undefined;
  const { ends: { head, tail } = usualEnds, naming } = filesFormOf(agent);
  if (changes && size > maxReplayed) {
    const [first, last] = await Promise.all([
      fs.read(path, 0, changesHead),
      fs.read(path, size - changesTail, changesTail),
    ]);
    return changes.details(first.toString('utf8'), last.toString('utf8'));
  }
  const linesOf = (bytes: Buffer): readonly string[] => {
    const lines = bytes.toString('utf8').split('\n');
    if (mark) return lines.map(mark);
    return naming ? lines.map((line) => withId(line, file, naming)) : lines;
  };
  if (path.endsWith('.json')) {
    const lines = await documentAt(path, size, maxAbout, fs);
    return lines.length === 0 ? {} : detailsOfWhole(lines, modifiedAt);
  }
  if (isCompressed(path)) {
    return savedDetails(linesOf(await decompressedHead(await fs.read(path, 0, head), head * 8)));
  }
  if (changes) return savedDetails(replayedLines(changes, linesOf(await fs.read(path, 0, size))));
  const details = await readParts({ path, size, head, tail }, linesOf, fs);
  // What a fork did itself comes after its history.
  return details.forkedFrom === undefined || details.parent !== undefined || details.isPart !== true
    ? details
    : readParts({ path, size, head: maxHistory, tail }, linesOf, fs);
}

async function readParts(
  {
    path,
    size,
    head,
    tail,
  }: { readonly path: string; readonly size: number; readonly head: number; readonly tail: number },
  linesOf: (bytes: Buffer) => readonly string[],
  fs: SavedFs,
): Promise<SavedDetails> {
  const isWhole = size <= head + tail;
  const first = linesOf(await fs.read(path, 0, isWhole ? size : head));
  if (isWhole) return detailsOfWhole(first);
  let latest: SavedDetails = {};
  for (const length of [tail, ...longTails]) {
    const from = Math.max(head, size - length);
    const last = linesOf(await fs.read(path, from, size - from)).slice(1);
    const { details, saysState } = readLines(first.slice(0, -1), last);
    if (saysState) return details;
    latest = details;
    if (from === head) break;
  }
  // How the session ended is unknown.
  const { outcome: _outcome, problem: _problem, ...details } = latest;
  return details;
}

function detailsOfWhole(lines: readonly string[], modifiedAt = 0): SavedDetails {
  const { details, isEmpty } = readLines(lines, [], modifiedAt);
  return isEmpty ? { ...details, isEmpty } : details;
}

/** What a log of changes is converted into, as JSON. */
export function replayedLines(form: ChangesForm, lines: readonly string[]): readonly string[] {
  const replay = form.replay();
  for (const line of lines) if (line.trim() !== '') replay.apply(jsonValueOf(line).msg, line.length);
  return [...replay.lines(true)].map(({ line }) => deepJson(line));
}

/** The lines of a document, as JSON; empty if it is none, or larger than `max` bytes. */
export async function documentAt(path: string, size: number, max: number, fs: SavedFs): Promise<readonly string[]> {
  if (size > max) return [];
  const lines = documentLines(jsonValueOf((await fs.read(path, 0, size)).toString('utf8')).msg) ?? [];
  return lines.map(({ line }) => deepJson(line));
}

async function readAbout(agent: SaverId, path: string, fs: SavedFs): Promise<AboutSession> {
  const known = await fs.stat(path);
  if (!known || known.size > maxAbout) return {};
  const text = (await fs.read(path, 0, known.size)).toString('utf8');
  return filesFormOf(agent).about?.read(text) ?? {};
}
