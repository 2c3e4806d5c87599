import type { Page } from './page';
import type { SavedPage, PageFile } from './pageReader';
import { packedData, PageReader } from './pageReader';
import { SpilledPage } from './spilledPage';

/** Maximum size of pages waiting for the disk, in bytes. If the disk is too slow, pages are dropped instead. */
const maxWriting = 4 * 1024 * 1024;

/** Writes pages to a file before memory runs out, so that they can be freed without being lost. */
export class Spiller {
  private readonly reader: PageReader;
  private readonly saved = new Map<Page, SavedPage>();
  private readonly writing = new Set<Page>();
  private writingBytes = 0;
  private savedBytes = 0;
  /** Pages that were freed, oldest first. */
  private spilledPages: SpilledPage[] = [];
  private columnBytes = 0;
  private readonly lost = new Set<SavedPage>();
  private isDisposed = false;

  constructor(private readonly file: PageFile) {
    this.reader = new PageReader(file, (saved) => this.lost.add(saved));
  }

  /** Memory of what is kept of freed pages, in bytes. */
  get bytes(): number {
    return this.columnBytes;
  }

  /** Size of the pages in memory that are also in the file, or will be. */
  get securedBytes(): number {
    return this.savedBytes + this.writingBytes;
  }

  get isBusy(): boolean {
    return this.writingBytes >= maxWriting;
  }

  isSecured(page: Page): boolean {
    return this.saved.has(page) || this.writing.has(page);
  }

  /** Whether its memory is still in use. */
  isWriting(page: Page): boolean {
    return this.writing.has(page);
  }

  /** Writes a page that no longer changes. */
  async write(page: Page): Promise<void> {
    const { bytes } = page;
    this.writing.add(page);
    this.writingBytes += bytes;
    const { data, ...state } = page.state;
    const place = await this.file.write([page.block, packedData(data)]);
    this.writingBytes -= bytes;
    // It may have been dropped in the meantime.
    const isWanted = this.writing.delete(page) && !this.isDisposed;
    if (!place) return;
    if (!isWanted) {
      this.file.free(place);
      return;
    }
    this.saved.set(page, { place, blockBytes: page.block.length, state });
    this.savedBytes += bytes;
  }

  /** Returns what is kept of a page that is freed; `undefined` if it isn't in the file. */
  spill(page: Page, sessionId: string | undefined): SpilledPage | undefined {
    const saved = this.saved.get(page);
    this.writing.delete(page);
    if (!saved) return undefined;
    this.saved.delete(page);
    this.savedBytes -= page.bytes;
    const spilled = new SpilledPage(page.compact, saved, sessionId, this.reader);
    this.spilledPages.push(spilled);
    this.columnBytes += spilled.bytes;
    return spilled;
  }

  /** Removes and returns the pages to drop: unreadable ones, and the oldest ones if all take more memory than this. */
  takeExcess(maxBytes: number): readonly SpilledPage[] {
    if (this.columnBytes <= maxBytes && this.lost.size === 0) return [];
    const gone = this.spilledPages.filter((page) => {
      if (this.columnBytes <= maxBytes && !this.lost.has(page.saved)) return false;
      this.columnBytes -= page.bytes;
      this.discard(page.saved);
      return true;
    });
    this.lost.clear();
    const isGone = new Set(gone);
    this.spilledPages = this.spilledPages.filter((page) => !isGone.has(page));
    return gone;
  }

  /** Forgets everything. */
  clear(): void {
    for (const { saved } of this.spilledPages) this.discard(saved);
    for (const saved of this.saved.values()) this.discard(saved);
    this.spilledPages = [];
    this.saved.clear();
    this.writing.clear();
    this.lost.clear();
    this.savedBytes = 0;
    this.columnBytes = 0;
  }

  dispose(): void {
    this.isDisposed = true;
    this.clear();
    this.reader.clear();
    this.file.dispose();
  }

  private discard(saved: SavedPage): void {
    this.reader.forget(saved);
    this.file.free(saved.place);
  }
}
