import * as vscode from 'vscode';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SaverId } from '../../../agents/agents';
import { withFileLock } from '../../../machine/fileLock';
import { makeFolder } from '../../../machine/makeFolder';
import { stillAlive } from '../../../machine/processAlive';
import { ProcessLeader } from '../../../machine/processLeader';
import { deletedSoon } from '../../../past/saved/kept/deletedSoon';
import { Keeper } from '../../../past/saved/kept/keeper';
import { keepSettingIn } from '../../../past/saved/kept/keepSetting';
import type { SavedSessions } from '../../../past/saved/list/savedSessions';
import { messageOf } from '../../../text/humanError';
import { sessionLabel } from '../../../text/sessionLabel';
import { shownLine } from '../../../text/text';
import type { LogLink } from '../../kit/notify';
import { showInformation, showWarning } from '../../kit/notify';
import { shownCount, translate } from '../../kit/translate';
import { commandIds } from '../../manifest/commands';
import { prefix } from '../../manifest/names';
import type { Configuration } from '../configuration';
import { executeCommand, openSettingCommand } from '../settings/openSettingCommand';

/** Copying takes at most this fraction of the time: one in ten. */
const share = 10;
/** How often the user is told of sessions that will be deleted, in milliseconds. */
const noticePause = 7 * 86_400_000;
/** When the user was told last, in milliseconds since the epoch; `never` if they don't want to be. */
const noticeKey = `${prefix}.keep.notice`;

interface KeepWorkServices {
  readonly memory: vscode.Memento;
  readonly log: LogLink & { warn(message: string): void };
  readonly configuration: Pick<Configuration, 'keep'>;
}

/** An agent, and how many of its sessions it will delete soon. */
interface Expiring {
  readonly agent: SaverId;
  readonly name: string;
  readonly count: number;
}

/** Copies what is due, and tells of what will be deleted; in one window only. */
export class KeepWork {
  private readonly leader: ProcessLeader;
  private keeper: { readonly of: SavedSessions; readonly keeper: Keeper } | undefined;
  private warned = '';

  /** @param leaderPath a file for the window that does it, in the folder of the copies */
  constructor(
    private readonly leaderPath: string,
    private readonly services: KeepWorkServices,
  ) {
    this.leader = new ProcessLeader(leaderPath, stillAlive());
  }

  async look(sessions: SavedSessions, signal: AbortSignal): Promise<void> {
    const { setting, mistakes } = keepSettingIn(this.services.configuration.keep);
    void this.warn(mistakes.map(({ message }) => translate(message)));
    if (setting && (await this.isLeader())) {
      await this.keeperOf(sessions, signal).run(setting, signal, () => this.isLeader());
    }
    if (!signal.aborted) await this.tell(sessions);
  }

  /** Leaves it to another window. */
  end(): Promise<void> {
    return this.leader.resign().catch(() => undefined);
  }

  /** Two windows that ask at the same time don't get the same answer. */
  private async isLeader(): Promise<boolean> {
    await makeFolder(dirname(this.leaderPath));
    return withFileLock(`${this.leaderPath}.lock`, () => this.leader.isLeader());
  }

  private keeperOf(sessions: SavedSessions, signal: AbortSignal): Keeper {
    if (this.keeper?.of !== sessions) {
      const keeper = new Keeper(sessions, {
        now: Date.now,
        rest: (took) => sleep(took * share, undefined, { signal, ref: false }).catch(() => undefined),
        onProblem: ({ id, title }, error) => {
          const name = shownLine(sessionLabel(id, title), 60);
          this.services.log.warn(vscode.l10n.t("{0} can't be copied: {1}", name, shownLine(messageOf(error), 300)));
        },
      });
      this.keeper = { of: sessions, keeper };
    }
    return this.keeper.keeper;
  }

  /** Tells of sessions that will be deleted, at most once a week. */
  private async tell(sessions: SavedSessions): Promise<void> {
    const { memory } = this.services;
    const last = memory.get<unknown>(noticeKey);
    if (last === 'never' || (typeof last === 'number' && Date.now() - last < noticePause)) return;
    const found = await Promise.all(
      (await sessions.agents()).map(async ({ agent, name }): Promise<Expiring> => {
        const expiring = await sessions.expiring(agent, deletedSoon).catch(() => ({ sessions: [] }));
        return { agent, name, count: expiring.sessions.length };
      }),
    );
    const some = found.filter(({ count }) => count > 0);
    if (some.length === 0 || !(await this.isLeader())) return;
    await memory.update(noticeKey, Date.now());
    // The notice may stay unanswered for days.
    this.notify(some).catch((error: unknown) => this.services.log.warn(messageOf(error)));
  }

  private async notify(some: readonly Expiring[]): Promise<void> {
    const [keep, never] = [vscode.l10n.t('Keep a Copy…'), vscode.l10n.t("Don't Show Again")];
    const picked = await showInformation(expiringText(some), keep, never);
    if (picked === never) await this.services.memory.update(noticeKey, 'never');
    if (picked !== keep) return;
    const [only, another] = some;
    const arg = only && !another ? { agent: only.agent } : undefined;
    await vscode.commands.executeCommand(commandIds.keepCopy, arg);
  }

  /** Once for each value of the setting. */
  private async warn(mistakes: readonly string[]): Promise<void> {
    const key = JSON.stringify(mistakes);
    if (key === this.warned) return;
    this.warned = key;
    for (const mistake of mistakes) this.services.log.warn(mistake);
    const [first] = mistakes;
    if (first === undefined) return;
    const open = vscode.l10n.t('Open Setting');
    if ((await showWarning(first, this.services.log, open)) !== open) return;
    await executeCommand(openSettingCommand('savedSessions.keep'));
  }
}

/** `12 sessions of Claude Code will be deleted within 3 days.` */
function expiringText(some: readonly Expiring[]): string {
  const names = new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(some.map(({ name }) => name));
  const count = some.reduce((sum, one) => sum + one.count, 0);
  return count === 1
    ? vscode.l10n.t('1 session of {0} will be deleted within 3 days.', names)
    : vscode.l10n.t('{0} sessions of {1} will be deleted within 3 days.', shownCount(count), names);
}
