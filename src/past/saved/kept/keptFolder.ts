import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SaverId } from '../../../agents/agents';
import type { SavedDetails } from '../../../agents/savedDetails';
import { makeFolder } from '../../../machine/makeFolder';
import { replaceFile } from '../../../machine/wholeFile';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import type { Line } from '../../../text/bytes/line';
import { Slices } from '../../../time/slices';
import type { SavedFs } from '../list/savedFs';
import { redactedDetails } from '../list/savedDetails';
import type { SavedMember } from '../savedMembers';
import type { SavedSession } from '../savedSession';
import type { KeptBy } from './keptCopy';
import type { FoundCopy, KeptHeader, KeptPart } from './keptFile';
import { headerBytes, headerLength, keptSessionAt } from './keptFile';
import { keptLine } from './keptLines';

/** Names made by `pathOf`. Other files there belong to the user. */
const fileName = /^[0-9a-f]{32}\.jsonl$/;

export interface KeepOptions {
  readonly by: KeptBy;
  readonly redactor: LineRedactor | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Nothing is left of a copy that is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Gets the number of bytes written so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/** Our copies of sessions, a folder for each agent with a file for each session. A copy is written as a whole or not at all. */
export class KeptFolder {
  private readonly known = new Map<string, { readonly version: string; readonly copy: FoundCopy | undefined }>();

  /** @param redactor titles are redacted again, with patterns that were added since */
  constructor(
    readonly path: string,
    private readonly fs: SavedFs,
    private readonly redactor: LineRedactor | undefined,
  ) {}

  /** The folder of an agent's copies. */
  folderOf(agent: SaverId): string {
    return join(this.path, agent);
  }

  /** An agent's copies, in no order. */
  async list(agent: SaverId): Promise<readonly FoundCopy[]> {
    const folder = this.folderOf(agent);
    const names = (await this.fs.list(folder)).filter(({ name, isFolder, isLink }) => {
      return !isFolder && isLink !== true && fileName.test(name);
    });
    const found = await Promise.all(names.map(({ name }) => this.at(join(folder, name))));
    return found.flatMap((copy) => (copy?.session.agent === agent ? copy : []));
  }

  private async at(path: string): Promise<FoundCopy | undefined> {
    const stats = await this.fs.stat(path);
    if (!stats) return undefined;
    const version = `${stats.size} ${stats.modifiedAt}`;
    const known = this.known.get(path);
    if (known?.version === version) return known.copy;
    // It may just have been deleted.
    const read = await keptSessionAt(path, stats, this.fs).catch(() => undefined);
    const copy = read && { ...read, session: redactedDetails(read.session, this.redactor) };
    this.known.set(path, { version, copy });
    return copy;
  }

  /**
   * Copies a session with its subagents, or replaces an older copy.
   * @param members the session's own lines first
   * @returns the size of the copy, in bytes
   * @throws if the session can't be read or the copy not be written, or the signal's reason
   */
  async keep(session: SavedSession, members: readonly SavedMember[], options: KeepOptions): Promise<number> {
    const path = this.pathOf(session);
    await makeFolder(dirname(path));
    let size = 0;
    await replaceFile(path, async (temporary) => {
      const file = await open(temporary, 'wx', 0o600);
      try {
        size = await new CopyWriter(file, options).write(session, members);
      } finally {
        await file.close();
      }
    });
    return size;
  }

  /** Deletes a copy. @throws if it isn't one */
  async delete(path: string): Promise<void> {
    const isOurs = dirname(dirname(path)) === this.path && fileName.test(basename(path));
    if (!isOurs) throw new Error(`Not a copy: ${path}`);
    await rm(path, { force: true });
  }

  private pathOf({ agent, id, fileId = id }: SavedSession): string {
    const name = createHash('sha256').update(`${agent} ${fileId}`).digest('hex').slice(0, 32);
    return join(this.folderOf(agent), `${name}.jsonl`);
  }
}

/** How much is written at once, in characters. */
const batchLength = 256 * 1024;

/** Writes one copy. */
class CopyWriter {
  private readonly slices = new Slices();
  private batch: string[] = [];
  private length = 0;
  private end = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly options: KeepOptions,
  ) {}

  /** Returns its size in bytes. */
  async write(session: SavedSession, members: readonly SavedMember[]): Promise<number> {
    const header = this.header(session);
    const start = headerLength(header, members.length);
    this.end = start;
    const parts: KeptPart[] = [];
    for (const [index, member] of members.entries()) {
      const modifiedAt = await this.copy(member, index === 0);
      parts.push({ end: this.end, modifiedAt });
    }
    await this.file.write(headerBytes({ ...header, parts }, start), 0, start, 0);
    await this.file.sync();
    return this.end;
  }

  private header(session: SavedSession): Omit<KeptHeader, 'parts'> {
    const { redactor, now: at, by } = this.options;
    const { agent, id, fileId = id, path, modifiedAt } = session;
    const original = redactedLine(path, redactor);
    return { copy: { at, by, original, modifiedAt }, agent, id, fileId, details: this.details(session) };
  }

  /** What is known of it, without where and how it runs. */
  private details(session: SavedSession): SavedDetails {
    const { agent: _a, path: _p, size: _s, modifiedAt: _m, fileId: _f, about: _b, project: _j, ...known } = session;
    const { running: _r, pid: _i, marked: _k, kept: _c, isGone: _g, ...details } = known;
    return redactedDetails(details, this.options.redactor);
  }

  /** @param isOwn otherwise it is a subagent's, which may be missing */
  private async copy(member: SavedMember, isOwn: boolean): Promise<number | undefined> {
    const source = await member.open().catch((error: unknown) => {
      if (isOwn) throw error;
      return undefined;
    });
    if (!source) return undefined;
    let last: Line | undefined;
    try {
      for (let lines = await source.read(); lines; lines = await source.read()) {
        for (const line of lines) await this.add(line);
      }
    } finally {
      last = await source.close();
    }
    if (last) await this.add(last);
    await this.flush();
    return source.modifiedAt;
  }

  private async add(line: Line): Promise<void> {
    const { redactor } = this.options;
    if (line.isBlank) return;
    const isClean = redactor?.isClean?.(line) === true;
    const { bytes } = line;
    const text = keptLine(isClean ? line.text : redactedLine(line.text, redactor), bytes);
    this.batch.push(text);
    this.length += text.length;
    if (this.length >= batchLength) await this.flush();
    if (this.slices.isSpent) await this.slices.next();
  }

  private async flush(): Promise<void> {
    const { signal, onProgress } = this.options;
    signal?.throwIfAborted();
    if (this.batch.length === 0) return;
    const bytes = Buffer.from(`${this.batch.join('\n')}\n`);
    [this.batch, this.length] = [[], 0];
    await this.file.write(bytes, 0, bytes.length, this.end);
    this.end += bytes.length;
    onProgress?.(this.end);
  }
}
