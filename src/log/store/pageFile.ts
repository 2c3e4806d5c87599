/** Where something is in a file, in bytes. */
export interface PagePlace {
  readonly offset: number;
  readonly length: number;
}

/** A file for pages that memory has no room for. Nothing of it throws. */
export interface PageFile {
  /** Settles with the place once it is written; with `undefined` if there is no room or the disk fails. */
  write(bytes: readonly Uint8Array[]): Promise<PagePlace | undefined>;
  /** The first bytes of a place, copied; `undefined` if they can't be read. */
  read(place: PagePlace, length: number): Promise<Buffer | undefined>;
  readNow(place: PagePlace, length: number): Buffer | undefined;
  /** Frees a place. */
  free(place: PagePlace): void;
  /** Deletes the file. */
  dispose(): void;
}
