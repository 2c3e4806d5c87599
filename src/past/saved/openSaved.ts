import { t, WordsError } from '../../text/translator';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { SaverId } from '../../agents/agents';
import type { SavedRow } from '../../agents/savedDatabase';
import type { SavedDetails } from '../../agents/savedDetails';
import { isObject } from '../../text/json';
import { sessionLabel } from '../../text/sessionLabel';
import { oneLine } from '../../text/text';
import type { Databases } from './sqlite';
import { otherOwner, otherTables } from '../../agents/otherDatabases';
import { documentLines, filesFormOf, formOf, saverOf, savers } from '../../agents/agents';
import { recogniseAgent } from '../../agents/reading/recognise';
import type { LineRedactor } from '../../runLog/reading/redactEvent';
import { redactedLine } from '../../runLog/reading/redactEvent';
import { jsonValueOf } from '../../wire/jsonValue';
import type { FileRunInfo } from '../files/fileRunInfo';
import type { BesideAccess } from './beside/besideFiles';
import { linesBeside } from './beside/besideFiles';
import { documentAt, readDetails } from './list/readDetails';
import { savedDetails } from './list/savedDetails';
import { findSubagents, sessionNameAt } from './list/savedFiles';
import { keptSessionAt } from './kept/keptFile';
import { keptMembers } from './kept/keptLines';
import { DatabaseSource } from './database/databaseSource';
import { traceDatabase } from './database/traceRows';
import type { LineSource } from './lineSource';
import type { SavedMember } from './savedMembers';
import { changedMember, databaseMember, fileMember, namedMember, withId, withBeside } from './savedMembers';
import type { SavedSession } from './savedSession';
import { UnmarkedCopies } from './unmarkedCopies';

/** How much of a file to read to recognize it, in bytes. */
const headBytes = 256 * 1024;
/** How a database of SQLite begins. */
const databaseMark = 'SQLite format 3';
const maxDocument = 64 * 1024 * 1024;
/** How many sessions of a database to name if there is none of a name. */
const maxNamed = 10;
/** Maximum number of subagents to read with a session. */
const maxSubagents = 200;

export interface SavedAccess extends BesideAccess {
  /** Redacts paths that are shown. */
  readonly redactor: LineRedactor | undefined;
  /** Subagents that are saved as separate sessions. */
  readonly children: (session: SavedSession) => Promise<readonly SavedSession[]>;
}

/** Describes a saved session and its subagents to `FileRun`. */
export function savedRunInfo(session: SavedSession, access: SavedAccess): FileRunInfo {
  const { agent, id, path, title, folder, startedAt, modifiedAt, size, outcome, model } = session;
  const agentName = saverOf(agent).label;
  return {
    // A copy is the same run.
    id: createHash('sha256')
      .update(`${session.isGone === true ? (session.kept?.original ?? path) : path} ${id}`)
      .digest('hex')
      .slice(0, 16),
    origin: 'saved',
    name: title ?? agentName,
    protocol: 'saved',
    startedAt: startedAt ?? modifiedAt,
    modifiedAt,
    command: [],
    cwd: folder ?? '',
    paths: [path],
    size,
    isRedacted: false,
    saved: {
      agent,
      agentName,
      sessionId: id,
      shownPath: redactedLine(path, access.redactor),
      isRunning: session.running !== undefined,
      ...(outcome !== undefined && { outcome }),
      ...(model !== undefined && { model }),
      ...(session.kept && { kept: session.kept }),
      members: () => (session.isGone === true ? keptMembers(path, access.fs) : membersOf(session, access)),
    },
  };
}

async function membersOf(session: SavedSession, access: SavedAccess): Promise<readonly SavedMember[]> {
  const { agent, id, path } = session;
  const form = formOf(agent);
  const { subagents: { parent } = {}, naming } = filesFormOf(agent);
  const mark = await new UnmarkedCopies(access.fs).markerFor(agent, path, session.version);
  const member = (one: SavedSession): SavedMember => {
    const { path: file } = one;
    if (form.type === 'database' && !file.endsWith('.json')) {
      return databaseMember(form.database, file, one.id, access.databases);
    }
    if (form.type === 'changes') return fileMember(file, form.changes);
    if (naming) return namedMember(file, one, naming);
    return mark && file === path ? changedMember(file, mark) : fileMember(file);
  };
  const own = withBeside(member(session), linesBeside(session, access));
  const [files, children] = await Promise.all([findSubagents(session, id, access.fs), access.children(session)]);
  const others = [
    ...files.map((file) => (parent ? namedMember(file, session, parent) : fileMember(file))),
    ...children.map(member),
  ];
  return [own, ...others.slice(0, maxSubagents)];
}

/** The spans in a database of any folder; `undefined` for any other file. @param session the end of a session's ID, for its spans alone */
export async function traceRunInfo(
  path: string,
  { fs, databases, redactor }: Pick<SavedAccess, 'fs' | 'databases' | 'redactor'>,
  session = '',
): Promise<FileRunInfo | undefined> {
  const stats = await fs.stat(path);
  if (!stats || !isDatabase(await fs.read(path, 0, databaseMark.length))) return undefined;
  const { tables, recognises } = traceDatabase;
  const isKnown = await databases
    .query(path, tables, (database) => Promise.resolve(recognises(database)))
    .catch(() => false);
  if (!isKnown) return undefined;
  const key = `${path} ${session}`;
  const open = (): Promise<LineSource> => Promise.resolve(new DatabaseSource(databases, traceDatabase, path, session));
  return {
    id: createHash('sha256').update(key).digest('hex').slice(0, 16),
    origin: 'opened',
    name: redactedLine(basename(path), redactor),
    protocol: 'trace',
    startedAt: stats.modifiedAt,
    ...stats,
    command: [],
    cwd: '',
    paths: [path],
    isRedacted: false,
    rows: { isRunning: false, members: () => Promise.resolve([{ key, open }]) },
  };
}

/**
 * The saved session in a file of any folder; `undefined` for any other file.
 * @param sessionId selects a session in a database: its title, its ID or the end of it
 * @throws if it can't be read, or is a database without that session, or of another program
 */
export async function savedSessionAt(
  path: string,
  { fs, databases }: Pick<SavedAccess, 'fs' | 'databases'>,
  sessionId?: string,
): Promise<SavedSession | undefined> {
  const stats = await fs.stat(path);
  if (!stats) return undefined;
  const copy = await keptSessionAt(path, stats, fs);
  if (copy) return copy.session;
  const head = await fs.read(path, 0, Math.min(stats.size, headBytes));
  if (isDatabase(head)) {
    const found = await sessionInDatabase(path, databases, sessionId);
    return { ...stats, path, ...found };
  }
  const replayed = savers.find(
    ({ saved }) => saved.type === 'changes' && saved.changes.recognises(head.toString('utf8')),
  );
  if (replayed && path.endsWith('.jsonl')) {
    const file = { agent: replayed.id, id: basename(path, '.jsonl'), path, ...stats };
    const details = await readDetails(file, fs);
    return { ...file, ...details, id: details.id ?? file.id };
  }
  const isObjectText = /^\s*\{/.test(head.toString('latin1', 0, 100));
  const lines = linesOf(head, stats.size) ?? (isObjectText ? await documentAt(path, stats.size, maxDocument, fs) : []);
  const found = recogniseAgent(lines.map((line) => jsonValueOf(line).msg));
  if (found?.type !== 'saved') return undefined;
  const { agent } = found;
  const { naming } = filesFormOf(agent);
  const name = sessionNameAt(agent, path);
  const details = savedDetails(
    naming && name !== undefined ? lines.map((line) => withId(line, { id: name }, naming)) : lines,
  );
  return { agent, path, ...stats, ...details, id: name ?? details.id ?? basename(path) };
}

function isDatabase(head: Buffer): boolean {
  return head.toString('latin1', 0, databaseMark.length) === databaseMark;
}

async function sessionInDatabase(
  path: string,
  databases: Databases,
  wanted: string | undefined,
): Promise<SavedDetails & { readonly agent: SaverId; readonly id: string }> {
  const name = basename(path);
  const forms = savers.flatMap(({ id, saved }) =>
    saved.type === 'database' ? { agent: id, form: saved.database } : [],
  );
  const named = forms.filter(({ form }) => basename(form.file) === name || form.otherFiles?.test(name) === true);
  // Agents made of another have its tables.
  for (const { agent, form } of new Set([...named, ...forms])) {
    const rows = await databases.query(path, form.tables, async (database) =>
      form.recognises(database) ? form.sessions(database) : undefined,
    );
    if (rows) return { agent, ...rowNamed(rows, wanted) };
  }
  const owner = await databases.query(path, otherTables, (database) => Promise.resolve(otherOwner(database)));
  throw new WordsError(
    owner === undefined
      ? t("it is a database, but not of an agent that Agent Logs knows. It isn't read.")
      : t("it is a database of {0}, which isn't read.", owner),
  );
}

function rowNamed(rows: readonly SavedRow[], wanted: string | undefined): SavedRow {
  if (wanted === undefined) {
    const [only, ...others] = rows.filter(({ parent }) => parent === undefined);
    if (!only || others.length > 0) throw severalSessions();
    return only;
  }
  const title = wanted.toLowerCase();
  const found =
    rows.find(({ id }) => id === wanted) ??
    rows.find((row) => row.title?.toLowerCase() === title) ??
    rows.find(({ id }) => wanted !== '' && id.endsWith(wanted));
  if (found) return found;
  const names = rows.slice(0, maxNamed).map(({ id, title: name }) => sessionLabel(id, name));
  throw new WordsError(
    names.length === 0
      ? t('it has no sessions.')
      : t('it has no session {0}. Its newest are: {1}.', `"${oneLine(wanted, 100)}"`, names.join(', ')),
  );
}

function severalSessions(): WordsError {
  return new WordsError(t('it has several sessions. Specify the ID of one.'));
}

/** The lines of JSON Lines; `undefined` for a document. */
function linesOf(head: Buffer, size: number): readonly string[] | undefined {
  const text = head.toString('utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const isOneLine = lines.length === 1 && head.length === size;
  if (!isObject(jsonValueOf(first).msg)) return undefined;
  return isOneLine && documentLines(jsonValueOf(first).msg) ? undefined : lines;
}
