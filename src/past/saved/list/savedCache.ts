import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isObject } from '../../../text/json';
import { Slices } from '../../../time/slices';
import { replaceFile } from '../../../machine/wholeFile';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { SavedFile } from '../savedSession';
import type { SavedDetails } from '../../../agents/savedDetails';

/** Of the sessions that changed last. */
const maxKept = 20_000;
/** Maximum number of entries in memory before the oldest are dropped. */
const maxHeld = maxKept * 1.25;
/** Maximum size of the cache file, in bytes. */
const maxBytes = 32 * 1024 * 1024;
/** How long to wait for further changes before writing them, in milliseconds. */
const saveDelay = 5000;
/** Lines to write at once. */
const linesAtOnce = 100;
/** Increase this when the meaning of cached details changes. */
const version = 8;

interface Entry {
  readonly size: number;
  readonly modifiedAt: number;
  readonly details: SavedDetails;
}

/** Caches the details of files until they change, in memory and in a file for other windows: a line with the version, and one per entry. */
export class SavedCache {
  private readonly entries = new Map<string, Entry>();
  private loading: Promise<void> | undefined;
  private saving = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private isChanged = false;

  /** @param path the cache file, if there is one */
  constructor(private readonly path?: string) {}

  get({ path, size, modifiedAt }: SavedFile): SavedDetails | undefined {
    const entry = this.entries.get(path);
    return entry?.size === size && entry.modifiedAt === modifiedAt ? entry.details : undefined;
  }

  set({ path, size, modifiedAt }: SavedFile, details: SavedDetails): void {
    this.entries.set(path, { size, modifiedAt, details });
    if (this.entries.size > maxHeld) this.dropOldest();
    this.isChanged = true;
  }

  /** Reads the cache file once. */
  load(): Promise<void> {
    this.loading ??= this.loadFile();
    return this.loading;
  }

  /** Writes changes; a failure only costs time later. */
  save(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.saving = this.saving.then(() => this.saveFile());
    return this.saving;
  }

  /** Writes changes after a while: a session that grows is listed every second. */
  saveSoon(): void {
    if (this.path === undefined || !this.isChanged) return;
    this.timer ??= setTimeout(() => void this.save(), saveDelay).unref();
  }

  /** Not the ones that were read first: those are the newest sessions. */
  private dropOldest(): void {
    const oldest = [...this.entries].sort(([, a], [, b]) => a.modifiedAt - b.modifiedAt);
    for (const [path] of oldest.slice(0, this.entries.size - maxKept)) this.entries.delete(path);
  }

  private async saveFile(): Promise<void> {
    if (this.path === undefined || !this.isChanged) return;
    this.isChanged = false;
    if (this.entries.size > maxKept) this.dropOldest();
    try {
      await replaceFile(this.path, (temporary) => this.write(temporary, [...this.entries]));
    } catch {
      this.isChanged = true;
    }
  }

  private async write(path: string, entries: readonly [string, Entry][]): Promise<void> {
    const file = await open(path, 'w', 0o600);
    try {
      await file.write(`${JSON.stringify({ version })}\n`);
      for (let at = 0; at < entries.length; at += linesAtOnce) {
        const lines = entries.slice(at, at + linesAtOnce).map((entry) => `${JSON.stringify(entry)}\n`);
        await file.write(lines.join(''));
      }
    } finally {
      await file.close();
    }
  }

  private async loadFile(): Promise<void> {
    if (this.path === undefined) return;
    try {
      if ((await stat(this.path)).size > maxBytes) return;
      const slices = new Slices();
      let isFirst = true;
      for await (const line of createInterface({ input: createReadStream(this.path) })) {
        const value = jsonValueOf(line).msg;
        if (isFirst && !(isObject(value) && value['version'] === version)) return;
        if (!isFirst && Array.isArray(value)) this.take(value);
        isFirst = false;
        if (slices.isSpent) await slices.next();
      }
    } catch {
      // Missing or damaged; it will be rewritten.
    }
  }

  private take([path, entry]: readonly unknown[]): void {
    if (typeof path === 'string' && isEntry(entry) && !this.entries.has(path)) this.entries.set(path, entry);
  }
}

function isEntry(value: unknown): value is Entry {
  return (
    isObject(value) &&
    typeof value['size'] === 'number' &&
    typeof value['modifiedAt'] === 'number' &&
    isObject(value['details'])
  );
}
