import type { PageState } from './page';
import { Page } from './page';

/** A place in a file, in bytes. */
export interface PagePlace {
  readonly offset: number;
  readonly length: number;
}

/** A file for pages that don't fit into memory. Its methods don't throw. */
export interface PageFile {
  /** Returns the place once it is written; `undefined` if there is no room or the disk fails. */
  write(bytes: readonly Uint8Array[]): Promise<PagePlace | undefined>;
  /** The first bytes of a place, copied; `undefined` if they can't be read. */
  read(place: PagePlace, length: number): Promise<Buffer | undefined>;
  readNow(place: PagePlace, length: number): Buffer | undefined;
  /** Frees a place. */
  free(place: PagePlace): void;
  /** Deletes the file. */
  dispose(): void;
}

/** How much of a page to read: without its lines and data it is much smaller. */
export type PagePart = 'messages' | 'all';

/** Maximum number of pages in the cache, of 256 KiB each. */
const maxKept = 8;

/** A page in a file: its block, followed by the rest of the page as JSON. */
export interface SavedPage {
  readonly place: PagePlace;
  readonly blockBytes: number;
  readonly state: Omit<PageState, 'data'>;
}

/** Reads pages back from their file. */
export class PageReader {
  /** Least recently used first. */
  private readonly kept = new Map<SavedPage, Page>();

  /** @param onLost called with a page that can't be read */
  constructor(
    private readonly file: PageFile,
    private readonly onLost: (saved: SavedPage) => void,
  ) {}

  async read(saved: SavedPage, part: PagePart): Promise<Page | undefined> {
    const kept = this.kept.get(saved);
    if (kept) return kept;
    // Searching a page without its lines and data takes less than half of the time.
    const length = part === 'all' ? saved.place.length : Math.min(saved.blockBytes, saved.state.messagesEnd + 16);
    return this.opened(saved, await this.file.read(saved.place, length), part);
  }

  readNow(saved: SavedPage): Page | undefined {
    const page = this.kept.get(saved) ?? this.opened(saved, this.file.readNow(saved.place, saved.place.length), 'all');
    if (!page) return undefined;
    this.kept.delete(saved);
    this.kept.set(saved, page);
    for (const oldest of [...this.kept.keys()].slice(0, -maxKept)) this.kept.delete(oldest);
    return page;
  }

  forget(saved: SavedPage): void {
    this.kept.delete(saved);
  }

  clear(): void {
    this.kept.clear();
  }

  private opened(saved: SavedPage, bytes: Buffer | undefined, part: PagePart): Page | undefined {
    if (!bytes) {
      this.onLost(saved);
      return undefined;
    }
    try {
      const rest = part === 'all' ? (JSON.parse(bytes.toString('utf8', saved.blockBytes)) as DataJson) : undefined;
      const block = part === 'all' ? bytes.subarray(0, saved.blockBytes) : bytes;
      return new Page(block, saved.state.capacity, { ...saved.state, data: rest ? unpacked(rest) : [] });
    } catch {
      this.onLost(saved);
      return undefined;
    }
  }
}

/** The data of a page's records. Most have none, or the same path to it. */
interface DataJson {
  /** Each different value once. */
  readonly values: readonly unknown[];
  /** The number of each record's value, from 1; 0 for none. */
  readonly places: readonly number[];
}

/** The data of a page as bytes for its file. */
export function packedData(data: readonly unknown[]): Buffer {
  const values: unknown[] = [];
  const numbers = new Map<unknown, number>();
  const places = data.map((value) => {
    if (value === undefined) return 0;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, values.push(value));
    return values.length;
  });
  return Buffer.from(JSON.stringify({ values, places } satisfies DataJson));
}

function unpacked({ values, places }: DataJson): unknown[] {
  return places.map((place) => (place === 0 ? undefined : values[place - 1]));
}
