import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { IsStillAlive } from './processAlive';

/** Chooses one of several processes of a user, which does what must be done only once. */
export class ProcessLeader {
  /** @param path a file with the PID of the leader */
  constructor(
    private readonly path: string,
    private readonly isAlive: IsStillAlive,
    private readonly pid = process.pid,
  ) {}

  /** Becomes the leader. */
  async lead(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await writeFile(this.path, String(this.pid), { mode: 0o600 });
  }

  /** Whether this process is the leader; becomes it if there is none. Without a file that can be written, each process is. */
  async isLeader(): Promise<boolean> {
    const leader = await this.leader();
    if (leader === this.pid) return true;
    if (leader !== undefined) return false;
    await this.lead().catch(() => undefined);
    const now = await this.leader();
    return now === undefined || now === this.pid;
  }

  /** Leaves it to another process. */
  async resign(): Promise<void> {
    if ((await this.leader()) === this.pid) await rm(this.path, { force: true });
  }

  private async leader(): Promise<number | undefined> {
    try {
      const pid = Number(await readFile(this.path, 'utf8'));
      const at = (await stat(this.path)).mtimeMs;
      return Number.isSafeInteger(pid) && pid > 0 && (await this.isAlive({ pid, at })) ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}
