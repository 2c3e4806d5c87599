import { basename, dirname, join, relative, sep } from 'node:path';
import type { Beside, BesideForm } from '../../../agents/beside';
import type { Database } from '../../../agents/database';
import type { SavedForm } from '../../../agents/savedForm';
import { anyFolder } from '../../../agents/savedForm';
import { formOf } from '../../../agents/agents';
import type { BesideLine } from '../../../agents/reading/saved/besideLines';
import type { SavedFs } from '../list/savedFs';
import type { SavedSession } from '../savedSession';
import type { Databases } from '../sqlite';

/** How much of the end of a file to read, in bytes. */
const maxBytes = 16 * 1024 * 1024;
/** Maximum number of lines of one file to keep. */
const maxLines = 20_000;
const maxBeside = 5000;
/** Maximum size of a file to read as a whole, in bytes. */
const maxText = 1024 * 1024;

export interface BesideAccess {
  readonly fs: SavedFs;
  readonly databases: Databases;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads the lines that only a log beside the session has, oldest first; none if the log is missing or can't be read. */
export function linesBeside(session: SavedSession, access: BesideAccess): () => Promise<readonly BesideLine[]> {
  const form = formOf(session.agent);
  const root = rootOf(form, session.path);
  if (!form.beside || root === undefined) return () => Promise.resolve([]);
  const { beside } = form;
  const files = new BesideFiles(beside, root, access);
  const logged = { ...session, names: relative(root, session.path).split(sep) };
  return async () => {
    // The session itself is still readable.
    const retries = (await beside.retries?.(logged, files).catch(() => [])) ?? [];
    const others = (await beside.lines?.(logged, files).catch(() => [])) ?? [];
    return [...retries, ...others].slice(-maxBeside);
  };
}

/** The agent's folder above a session's file; `undefined` if the file was moved. */
function rootOf(form: SavedForm, path: string): string | undefined {
  if (form.type === 'database') return dirname(path);
  for (const { below } of form.files) {
    let folder = dirname(path);
    const isHere = below.every((_, index) => {
      const name = below[below.length - 1 - index];
      const isNamed = name === anyFolder || name === basename(folder);
      folder = dirname(folder);
      return isNamed;
    });
    if (isHere) return folder;
  }
  return undefined;
}

/** Reads the files of an agent's folder. Of those that grow, only the new part is read each time. */
export class BesideFiles implements Beside {
  private readonly known = new Map<string, { readonly lines: readonly string[]; readonly end: number }>();

  constructor(
    private readonly form: BesideForm,
    private readonly root: string,
    private readonly access: BesideAccess,
  ) {}

  async names(...folder: readonly string[]): Promise<readonly string[]> {
    const entries = await this.access.fs.list(this.root, ...folder);
    return entries.flatMap(({ name, isLink }) => (isLink === true ? [] : name));
  }

  async lines(names: readonly string[], isWanted: (line: string) => boolean, since = 0): Promise<readonly string[]> {
    const path = join(this.root, ...names);
    const { size, modifiedAt } = (await this.statOf(names)) ?? { size: 0, modifiedAt: since };
    if (modifiedAt < since) return [];
    const before = this.known.get(path);
    const { lines, end } = before && before.end <= size ? before : { lines: [], end: 0 };
    const from = Math.max(end, size - maxBytes);
    if (from >= size) return lines;
    const bytes = await this.access.fs.read(path, from, size - from);
    const whole = bytes.lastIndexOf(10) + 1;
    const read = bytes.toString('utf8', 0, whole).split('\n');
    // The first line may be cut.
    const own = (from === end ? read : read.slice(1)).filter(isWanted);
    const all = [...lines, ...own].slice(-maxLines);
    this.known.set(path, { lines: all, end: from + whole });
    return all;
  }

  async text(names: readonly string[]): Promise<string | undefined> {
    const { size } = (await this.statOf(names)) ?? { size: maxText + 1 };
    if (size > maxText) return undefined;
    return (await this.access.fs.read(join(this.root, ...names), 0, size)).toString('utf8');
  }

  async rows<T>(
    name: RegExp,
    tables: readonly string[],
    read: (database: Database) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const { fs, databases, env } = this.access;
    const folder = (this.form.databases === undefined ? undefined : env[this.form.databases]) ?? this.root;
    const entries = (await fs.list(folder)).filter(({ isLink }) => isLink !== true);
    const files = entries.map((entry) => ({ file: entry.name, version: versionOf(name, entry.name) }));
    const [newest] = files.filter(({ version }) => version >= 0).sort((a, b) => b.version - a.version);
    return newest ? databases.query(join(folder, newest.file), tables, read) : [];
  }

  /** Links lead nowhere. */
  private async statOf(names: readonly string[]): ReturnType<SavedFs['stat']> {
    const { fs } = this.access;
    const isThere = (await fs.list(this.root, ...names.slice(0, -1))).some(({ name }) => name === names.at(-1));
    return isThere ? fs.stat(join(this.root, ...names)) : undefined;
  }
}

function versionOf(pattern: RegExp, name: string): number {
  return Number(pattern.exec(name)?.[1] ?? NaN);
}
