import { open } from 'node:fs/promises';
import type { JournalHandle, OpenJournal } from '../../src/wire/journal/journalPart';

type Writev = JournalHandle['writev'];

interface Disk {
  readonly open: OpenJournal;
  hang(): void;
  /** Settles when a write hangs. */
  readonly hung: Promise<void>;
  release(): void;
  /** Settles when the file is closed. */
  readonly closed: Promise<void>;
}

/** Opens the real file with another `write`. */
export function writingWith(writev: (real: Writev) => Writev): OpenJournal {
  return async (name) => {
    const file = await open(name, 'a', 0o600);
    const real: Writev = (blocks) => file.writev(blocks);
    return {
      fd: file.fd,
      stat: () => file.stat(),
      writev: writev(real),
      truncate: (length) => file.truncate(length),
      utimes: (atime, mtime) => file.utimes(atime, mtime),
      close: () => file.close(),
    };
  };
}

/** A disk that can hang on demand. */
export function hangingDisk(): Disk {
  let hang = (): void => undefined;
  let release = (): void => undefined;
  let close = (): void => undefined;
  let isHanging = false;
  const hung = new Promise<void>((resolve) => (hang = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const closed = new Promise<void>((resolve) => (close = resolve));
  const opening = writingWith((real) => async (blocks) => {
    if (isHanging) hang();
    if (isHanging) await released;
    return real(blocks);
  });
  return {
    open: async (name) => {
      const file = await opening(name);
      return { ...file, close: () => file.close().then(close) };
    },
    hang: () => (isHanging = true),
    hung,
    release,
    closed,
  };
}
