import { basename, dirname, extname, join } from 'node:path';
import type { SaverId } from '../../agents/agents';
import { filesFormOf } from '../../agents/agents';
import type { UnmarkedForm } from '../../agents/savedForm';
import { savedTime } from '../../agents/reading/saved/savedTime';
import { deepJson } from '../../text/jsonText';
import { isObject } from '../../text/json';
import { Slices } from '../../time/slices';
import { jsonValueOf } from '../../wire/jsonValue';
import type { SavedFs } from './list/savedFs';

/** Maximum number of files in a folder to look at, how much of each, and how much of those that share records, in bytes. */
const maxFiles = 2000;
const headBytes = 16 * 1024;
const maxBytes = 32 * 1024 * 1024;

/** A session's file, with what identifies its records. */
interface Relative {
  readonly path: string;
  readonly ids: ReadonlySet<string>;
  /** The newest time in it, in milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Adds the mark of newer versions to a line that was copied. */
export type MarkCopies = (line: string) => string;

/**
 * What older versions of an agent copied into the new file of a session that was resumed, without a mark: records with the IDs of those in an
 * older file of the same folder.
 */
export class UnmarkedCopies {
  /** For each folder, the IDs of its files' first records. */
  private readonly folders = new Map<string, Promise<ReadonlyMap<string, ReadonlySet<string>>>>();
  private readonly read = new Map<string, Promise<Relative>>();

  constructor(private readonly fs: Pick<SavedFs, 'list' | 'stat' | 'read'>) {}

  /** @param version of the agent that wrote the file */
  async markerFor(agent: SaverId, path: string, version: string | undefined): Promise<MarkCopies | undefined> {
    const form = filesFormOf(agent).unmarked;
    if (form?.isIn(version) !== true) return undefined;
    const folder = dirname(path);
    const known = this.folders.get(folder) ?? this.look(folder, form);
    this.folders.set(folder, known);
    const firsts = await known;
    const own = [...(firsts.get(path) ?? [])];
    const paths = [...firsts].flatMap(([one, ids]) => (own.some((id) => ids.has(id)) ? one : []));
    if (paths.length < 2) return undefined;
    const related = (await Promise.all(paths.map((one) => this.relative(one, form)))).sort(
      (a, b) => a.lastAt - b.lastAt || a.ids.size - b.ids.size || (a.path < b.path ? -1 : 1),
    );
    const older = related.slice(
      0,
      related.findIndex((one) => one.path === path),
    );
    return older.length === 0 ? undefined : (line) => markIn(line, form, older, sessionAt(path));
  }

  private async look(folder: string, form: UnmarkedForm): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const entries = (await this.fs.list(folder)).filter(({ name, isFolder }) => !isFolder && name.endsWith('.jsonl'));
    const found = new Map<string, ReadonlySet<string>>();
    for (const { name } of entries.slice(0, maxFiles)) {
      const path = join(folder, name);
      const head = await this.fs.read(path, 0, headBytes).catch(() => Buffer.alloc(0));
      found.set(path, new Set(idsIn(head.toString('utf8').split('\n'), form)));
    }
    return found;
  }

  private relative(path: string, form: UnmarkedForm): Promise<Relative> {
    const known = this.read.get(path) ?? this.readRelative(path, form);
    this.read.set(path, known);
    return known;
  }

  private async readRelative(path: string, form: UnmarkedForm): Promise<Relative> {
    const size = Math.min((await this.fs.stat(path))?.size ?? 0, maxBytes);
    const text = (await this.fs.read(path, 0, size).catch(() => Buffer.alloc(0))).toString('utf8');
    const ids = new Set<string>();
    let lastAt = 0;
    await new Slices().forEach(text.split('\n'), (line) => {
      const value = jsonValueOf(line).msg;
      if (!isObject(value)) return;
      for (const id of form.idsIn(value)) ids.add(id);
      lastAt = Math.max(lastAt, savedTime(value) ?? 0);
    });
    return { path, ids, lastAt };
  }
}

function idsIn(lines: readonly string[], form: UnmarkedForm): readonly string[] {
  const values = lines.map((line) => jsonValueOf(line).msg);
  return values.flatMap((value) => (isObject(value) ? form.idsIn(value) : []));
}

/** @param own the session's ID */
function markIn(line: string, form: UnmarkedForm, older: readonly Relative[], own: string): string {
  const value = jsonValueOf(line).msg;
  const ids = isObject(value) ? form.idsIn(value) : [];
  const origin = older.find((one) => ids.some((id) => one.ids.has(id)));
  return isObject(value) && origin ? deepJson(form.marked(value, own, sessionAt(origin.path))) : line;
}

function sessionAt(path: string): string {
  return basename(path, extname(path));
}
