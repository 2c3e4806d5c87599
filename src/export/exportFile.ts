import { lstat, open, realpath, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { t } from '../text/translator';
import { HumanError, messageOf } from '../text/humanError';
import { Cancelled } from '../time/waiting';

/**
 * Creates the file of an export. A failed or cancelled export leaves no file.
 * @param sources the files that the run is read from
 * @param write its signal aborts when the export is cancelled, or the disk is full; it may then return early
 * @throws Cancelled; HumanError if the file is one of the sources, or a partial file couldn't be removed; or file system errors
 */
export async function exportFile(
  path: string,
  sources: readonly string[],
  token: CancellationToken,
  write: (out: Writable, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await checkTarget(path, sources);
  const out = (await open(path, 'w')).createWriteStream();
  const aborting = new AbortController();
  const done = finished(out);
  done.catch(() => aborting.abort());
  const listener = token.onCancellationRequested(() => aborting.abort());
  try {
    await write(out, aborting.signal);
    if (token.isCancellationRequested) throw new Cancelled();
    out.end();
    await done;
  } catch (error) {
    out.destroy();
    if (await isRemoved(path)) throw error;
    throw new HumanError(t('{0} is incomplete: {1}', path, messageOf(error)), [], { cause: error });
  } finally {
    listener.dispose();
  }
}

/** @throws HumanError if a file is one of those that the run is read from */
export async function checkTarget(path: string, sources: readonly string[]): Promise<void> {
  const [target, ...others] = await Promise.all([path, ...sources].map((one) => fileAt(one)));
  if (target === undefined || !others.includes(target)) return;
  throw new HumanError(t('The run is read from this file. Export it to another one.'));
}

/** The canonical path of a file; `undefined` if it doesn't exist. */
export function fileAt(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

export function noJournal(): HumanError {
  return new HumanError(t('This run has no journal. Export its records as text or JSON lines.'));
}

export async function write(out: Writable, data: string | Buffer): Promise<void> {
  out.write(data);
  await drained(out);
}

/** Waits until the disk catches up. Errors are reported when the stream ends. */
export async function drained(out: Writable): Promise<void> {
  if (!out.writableNeedDrain || out.destroyed) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      out.off('drain', settle).off('close', settle);
      resolve();
    };
    out.on('drain', settle).on('close', settle);
  });
}

/** Removes a partial file. Devices and links are left alone. */
async function isRemoved(path: string): Promise<boolean> {
  try {
    if (!(await lstat(path)).isFile()) return false;
    await rm(path);
    return true;
  } catch {
    return false;
  }
}
