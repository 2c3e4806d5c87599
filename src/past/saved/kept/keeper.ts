import type { SaverId } from '../../../agents/agents';
import type { SavedSessions } from '../list/savedSessions';
import type { SavedSession } from '../savedSession';
import type { KeepSetting } from './keepSetting';
import { deletedSoon } from './deletedSoon';
import type { KeptCopy } from './keptCopy';
import { needsCopy } from './keptFile';

/** Maximum number of sessions of an agent to look at. */
const maxSessions = 2000;

/** What the keeper needs of the sessions. */
export type KeptSessions = Pick<SavedSessions, 'list' | 'expiring' | 'keep' | 'copies' | 'deleteCopy'>;

export interface KeeperOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits after each copy. @param took how long it took, in milliseconds */
  readonly rest: (took: number) => Promise<void>;
  /** A session couldn't be copied. */
  readonly onProblem: (session: SavedSession, error: unknown) => void;
}

/** Copies sessions as the user's setting says. */
export class Keeper {
  /** Versions of sessions that had no room, or couldn't be copied. */
  private readonly refused = new Map<string, number>();

  constructor(
    private readonly sessions: KeptSessions,
    private readonly options: KeeperOptions,
  ) {}

  /**
   * Copies what is due, one session at a time, and makes room: if the copies are larger than the setting allows, those of the sessions that
   * haven't changed for the longest time go. Copies that the user has made stay, and don't count.
   * @param isMine false as soon as another window does this
   * @returns how many were copied
   */
  async run(setting: KeepSetting, signal: AbortSignal, isMine: () => Promise<boolean>): Promise<number> {
    let count = 0;
    for (const session of await this.due(setting)) {
      if (signal.aborted || !(await isMine())) break;
      const begun = this.options.now();
      if (!(await this.hasRoom(session, setting)) || !(await this.keep(session, signal))) continue;
      count++;
      await this.prune(setting);
      await this.options.rest(this.options.now() - begun);
    }
    await this.prune(setting);
    return count;
  }

  /** Those that have no copy as they are now, the newest first. */
  private async due({ agents, age }: KeepSetting): Promise<readonly SavedSession[]> {
    const due = new Map<string, SavedSession>();
    for (const agent of agents) {
      const options = { until: this.options.now() - (age ?? 0), limit: maxSessions };
      const old = age === undefined ? [] : (await this.sessions.list(agent, options).catch(() => none)).sessions;
      const expiring = await this.sessions.expiring(agent, deletedSoon).catch(() => none);
      for (const session of [...old, ...expiring.sessions]) {
        if (session.running === undefined && needsCopy(session) && !this.isRefused(session)) {
          due.set(keyOf(session), session);
        }
      }
    }
    return [...due.values()].sort((a, b) => b.modifiedAt - a.modifiedAt);
  }

  private isRefused(session: SavedSession): boolean {
    return this.refused.get(keyOf(session)) === session.modifiedAt;
  }

  /** Whether its copy wouldn't be the first to go. */
  private async hasRoom(session: SavedSession, { maxSize }: KeepSetting): Promise<boolean> {
    const newer = (await this.own()).filter(({ modifiedAt, path }) => {
      return modifiedAt > session.modifiedAt && path !== session.kept?.path;
    });
    return sizeOf(newer) + session.size <= maxSize;
  }

  private async keep(session: SavedSession, signal: AbortSignal): Promise<boolean> {
    // Until it changes, it isn't tried again.
    this.refused.set(keyOf(session), session.modifiedAt);
    try {
      // A copy that the user has made stays theirs.
      await this.sessions.keep(session, { by: session.kept?.by ?? 'setting', signal });
      return true;
    } catch (error) {
      if (!signal.aborted) this.options.onProblem(session, error);
      return false;
    }
  }

  private async prune({ maxSize }: KeepSetting): Promise<void> {
    let size = 0;
    for (const copy of (await this.own()).toSorted((a, b) => b.modifiedAt - a.modifiedAt)) {
      size += copy.size;
      if (size > maxSize) await this.sessions.deleteCopy(copy.path).catch(() => undefined);
    }
  }

  /** All copies that this setting made, also of agents that it no longer names. */
  private async own(): Promise<readonly KeptCopy[]> {
    return (await this.sessions.copies()).filter(({ by }) => by === 'setting');
  }
}

const none = { sessions: [] };

/** A key of a session's newest version. */
function keyOf({ agent, path, id }: SavedSession & { readonly agent: SaverId }): string {
  return `${agent} ${path} ${id}`;
}

function sizeOf(copies: readonly KeptCopy[]): number {
  return copies.reduce((sum, { size }) => sum + size, 0);
}
