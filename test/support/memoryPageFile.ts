import type { PageFile, PagePlace } from '../../src/store/pageReader';

/** A page file in memory. Writes complete asynchronously and can fail on demand. */
export class MemoryPageFile implements PageFile {
  private readonly places = new Map<number, Buffer>();
  private offset = 0;
  isDisposed = false;
  failsToWrite = false;
  failsToRead = false;

  get size(): number {
    return [...this.places.values()].reduce((sum, { length }) => sum + length, 0);
  }

  async write(bytes: readonly Uint8Array[]): Promise<PagePlace | undefined> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failsToWrite || this.isDisposed) return undefined;
    const all = Buffer.concat(bytes);
    const offset = (this.offset += all.length);
    this.places.set(offset, all);
    return { offset, length: all.length };
  }

  async read(place: PagePlace, length: number): Promise<Buffer | undefined> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.readNow(place, length);
  }

  readNow({ offset }: PagePlace, length: number): Buffer | undefined {
    const found = this.failsToRead ? undefined : this.places.get(offset);
    if (!found) return undefined;
    const copy = Buffer.allocUnsafeSlow(length);
    found.copy(copy, 0, 0, length);
    return copy;
  }

  free({ offset }: PagePlace): void {
    this.places.delete(offset);
  }

  dispose(): void {
    this.isDisposed = true;
    this.places.clear();
  }
}
