import { deepJson } from '../../text/jsonText';
import { t, WordsError } from '../../text/translator';
import { readFile, stat } from 'node:fs/promises';
import { Line } from '../../text/bytes/line';
import { isObject } from '../../text/json';
import type { SavedDatabase } from '../../agents/savedDatabase';
import type { AddedField, ChangesForm } from '../../agents/savedForm';
import type { KeyedLine } from '../../agents/reading/saved/keyedLine';
import { documentLines } from '../../agents/agents';
import type { BesideLine } from '../../agents/reading/saved/besideLines';
import { WithBesideLines } from './beside/withBesideLines';
import { jsonValueOf } from '../../wire/jsonValue';
import { FileSource } from '../../wire/fileSource';
import { compressedLines, isCompressed } from './compressed';
import type { LineSource, Snapshot } from './lineSource';
import { ByteLines, fileVersion, SnapshotLines } from './lineSource';
import { ReplayedLines } from './replayedLines';
import { DatabaseSource } from './database/databaseSource';
import type { SavedSession } from './savedSession';
import type { Databases } from './sqlite';

/** Maximum size of a document, in bytes. */
const maxDocument = 64 * 1024 * 1024;
/** Maximum line length, in bytes. Longer lines are reported by type and size. */
const maxLineBytes = 16 * 1024 * 1024;
/** Maximum length of a header to add a field to, in characters. */
const maxHeader = 10_000;

/** What only the files around a session say of it. */
type NamedSession = Pick<SavedSession, 'id' | 'forkedFrom' | 'startedAt'>;

/** One file of a session or row of a database: the session's own, or a subagent's. */
export interface SavedMember {
  /** Unique within the session. */
  readonly key: string;
  /** @throws if it can't be read */
  open(): Promise<LineSource>;
}

/** A file of JSON lines, which may be compressed, or with one JSON document. @param changes if its lines are changes of a document */
export function fileMember(path: string, changes?: ChangesForm): SavedMember {
  return { key: path, open: () => openFile(path, changes) };
}

async function openFile(path: string, changes?: ChangesForm): Promise<LineSource> {
  if (path.endsWith('.json')) return documentSource(path);
  if (changes) return ReplayedLines.open(changes, async () => new ByteLines(await FileSource.open(path), maxDocument));
  if (isCompressed(path)) return compressedLines(path, maxLineBytes);
  return new ByteLines(await FileSource.open(path), maxLineBytes);
}

/** A file of which only the name of its folder says which session it belongs to. */
export function namedMember(path: string, session: NamedSession, added: AddedField): SavedMember {
  return changedMember(path, (line) => withId(line, session, added));
}

/** A file whose lines are read with something added. */
export function changedMember(path: string, change: (line: string) => string): SavedMember {
  return {
    key: path,
    open: async () => {
      const source = await openFile(path);
      const read = source.read.bind(source);
      source.read = async () =>
        (await read())?.map((line) => {
          const text = line.bytes === undefined ? change(line.text) : line.text;
          return text === line.text ? line : Line.of(text);
        });
      return source;
    },
  };
}

/** The line with the session's ID, and of what it is a fork since when, if it is a header. */
export function withId(
  line: string,
  { id, forkedFrom, startedAt: forkedAt }: NamedSession,
  { header: mark, field }: AddedField,
): string {
  if (line.length > maxHeader || !line.includes(`"${mark}"`)) return line;
  const header = jsonValueOf(line).msg;
  if (!isObject(header) || !(mark in header)) return line;
  return deepJson({ ...header, [field]: id, ...(forkedFrom !== undefined && { forkedFrom, forkedAt }) });
}

/** A session in a database. */
export function databaseMember(
  form: SavedDatabase,
  path: string,
  sessionId: string,
  databases: Databases,
): SavedMember {
  const source = new DatabaseSource(databases, form, path, sessionId);
  return { key: `${path} ${sessionId}`, open: () => Promise.resolve(source) };
}

/** Adds the lines that only a log beside the session has. */
export function withBeside(member: SavedMember, lines: () => Promise<readonly BesideLine[]>): SavedMember {
  return { key: member.key, open: async () => new WithBesideLines(await member.open(), lines) };
}

function documentSource(path: string): SnapshotLines {
  return new SnapshotLines(
    () => fileVersion(path),
    async () => {
      const { size, mtimeMs: modifiedAt } = await stat(path);
      if (size > maxDocument) throw new WordsError(t('it is larger than {0} MB', maxDocument / 1024 / 1024));
      const text = await readFile(path, 'utf8');
      return { ...snapshotOf(documentLines(JSON.parse(text) as unknown), size), modifiedAt };
    },
  );
}

function snapshotOf(lines: readonly KeyedLine[] | undefined, size: number): Snapshot {
  if (!lines) throw new WordsError(t("it isn't a session that can be read"));
  return { lines, size };
}
