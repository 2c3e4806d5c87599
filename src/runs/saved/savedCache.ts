import { readFile, writeFile } from 'node:fs/promises';
import { BoundedMap } from '../../log/boundedMap';
import { isObject } from '../../log/json';
import { replaceFile } from '../files/wholeFile';
import type { SavedFile } from './savedSession';
import type { SavedDetails } from '../../agents/savedDetails';

const maxKept = 20_000;
/** Maximum size of the cache file, in bytes. */
const maxBytes = 32 * 1024 * 1024;
/** Increase this when the meaning of cached details changes. */
const version = 2;

interface Entry {
  readonly size: number;
  readonly modifiedAt: number;
  readonly details: SavedDetails;
}

/** Caches the details of files until they change, in memory and in a file for other windows. */
export class SavedCache {
  private readonly entries = new BoundedMap<string, Entry>(maxKept);
  private loading: Promise<void> | undefined;
  private saving = Promise.resolve();
  private isChanged = false;

  /** @param path the cache file, if there is one */
  constructor(private readonly path?: string) {}

  get({ path, size, modifiedAt }: SavedFile): SavedDetails | undefined {
    const entry = this.entries.get(path);
    return entry?.size === size && entry.modifiedAt === modifiedAt ? entry.details : undefined;
  }

  set({ path, size, modifiedAt }: SavedFile, details: SavedDetails): void {
    this.entries.set(path, { size, modifiedAt, details });
    this.isChanged = true;
  }

  /** Reads the cache file once. */
  load(): Promise<void> {
    this.loading ??= this.loadFile();
    return this.loading;
  }

  /** Writes changes; a failure only costs time later. */
  save(): Promise<void> {
    this.saving = this.saving.then(() => this.saveFile());
    return this.saving;
  }

  private async saveFile(): Promise<void> {
    if (this.path === undefined || !this.isChanged) return;
    this.isChanged = false;
    const entries = this.entries.keys().map((path) => [path, this.entries.get(path)]);
    const text = JSON.stringify({ version, entries });
    try {
      await replaceFile(this.path, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
    } catch {
      this.isChanged = true;
    }
  }

  private async loadFile(): Promise<void> {
    if (this.path === undefined) return;
    try {
      const text = await readFile(this.path, 'utf8');
      if (text.length > maxBytes) return;
      const file = JSON.parse(text) as { version?: unknown; entries?: unknown };
      if (file.version !== version || !Array.isArray(file.entries)) return;
      for (const [path, entry] of file.entries as [unknown, unknown][]) {
        if (typeof path === 'string' && isEntry(entry) && !this.entries.has(path)) this.entries.set(path, entry);
      }
    } catch {
      // Missing or damaged; it will be rewritten.
    }
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
