import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../machine/wholeFile';
import { makeFolder } from '../../machine/makeFolder';
import { joinedProgram, joinedSize } from './joinedProgram';

/** A program whose main file requires other files of its folder. */
export interface ProgramFiles {
  readonly folder: string;
  readonly main: string;
  readonly parts: readonly string[];
}

/** Identifies a version of a file. */
interface Stamp {
  /** In seconds since the epoch. */
  readonly writtenAt: number;
  readonly bytes: number;
}

/** A copy of a program, as one file at a path that survives extension updates, always the newest version. */
export class ProgramCopy {
  /**
   * @param source the program's files, whose folder changes with each update
   * @param path the path of the copy
   */
  constructor(
    private readonly source: ProgramFiles,
    private readonly path: string,
  ) {}

  /**
   * Makes the copy, unless the same or a newer one exists. Returns its path.
   * @throws file system errors
   */
  async make(): Promise<string> {
    await makeFolder(dirname(this.path));
    const source = await this.sourceStamp();
    if (!isCurrent(await knownStamp(this.path), source)) await this.copy(source);
    return this.path;
  }

  /** Updates the copy if it exists. Returns whether it did. */
  async renew(): Promise<boolean> {
    const exists = (await knownStamp(this.path)) !== undefined;
    if (exists) await this.make();
    return exists;
  }

  /** The stamp of a copy of the program's files. */
  private async sourceStamp(): Promise<Stamp> {
    const { main, parts } = await this.eachFile(stampOf);
    return {
      writtenAt: Math.max(main.writtenAt, ...[...parts.values()].map(({ writtenAt }) => writtenAt)),
      bytes: joinedSize({ main: main.bytes, parts: new Map([...parts].map(([path, { bytes }]) => [path, bytes])) }),
    };
  }

  private async copy({ writtenAt }: Stamp): Promise<void> {
    const program = joinedProgram(await this.eachFile((path) => readFile(path, 'utf8')));
    await replaceFile(this.path, async (temporary) => {
      await writeFile(temporary, program);
      await utimes(temporary, writtenAt, writtenAt);
    });
  }

  private async eachFile<T>(read: (path: string) => Promise<T>): Promise<{ main: T; parts: ReadonlyMap<string, T> }> {
    const { folder, main, parts } = this.source;
    const of = async (name: string): Promise<[string, T]> => [`./${name}`, await read(join(folder, name))];
    return { main: await read(join(folder, main)), parts: new Map(await Promise.all(parts.map(of))) };
  }
}

/** Windows with different extension versions may be open; older ones don't replace a newer copy. */
function isCurrent(known: Stamp | undefined, source: Stamp): boolean {
  if (!known) return false;
  return known.writtenAt > source.writtenAt || (known.writtenAt === source.writtenAt && known.bytes === source.bytes);
}

async function knownStamp(path: string): Promise<Stamp | undefined> {
  return stampOf(path).catch(() => undefined);
}

async function stampOf(path: string): Promise<Stamp> {
  const { mtimeMs, size } = await stat(path);
  return { writtenAt: Math.round(mtimeMs / 1000), bytes: size };
}
