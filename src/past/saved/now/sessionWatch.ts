import type { SaverId } from '../../../agents/agents';
import { saverOf } from '../../../agents/agents';
import { Emitter } from '../../../text/emitter';
import { quietTimer } from '../../../time/timers';
import type { SavedSession } from '../savedSession';
import type { AgentWatchOptions } from './agentWatch';
import { AgentWatch } from './agentWatch';
import { keyOf } from './sessionState';
import type { SessionNow, StateChange } from './stateChanges';
import { StateChanges } from './stateChanges';

/** The least time between two looks, in milliseconds. */
const pause = 2000;
/** How soon a change is looked at, in milliseconds: more of them follow. */
const settleTime = 300;
/** How often to look whether the processes of active sessions still run, in milliseconds. */
const checkPause = 5000;
/** How often to look for the first session of an agent, in milliseconds. */
const firstPause = 15_000;
/** How often to look at all files, in milliseconds: the system doesn't report all changes, and not all folders are watched. */
const [minAllPause, maxAllPause] = [60_000, 600_000];
/** Looking at all files, and at what changes, takes at most these fractions of a core: 0.05 % and 1 %. */
const [allShare, changeShare] = [2000, 100];

export interface WatchedAgent extends Omit<AgentWatchOptions, 'onDue'> {
  readonly agent: SaverId;
}

/** The parts of the environment that tests replace. */
export interface WatchTime {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The time that this process has worked so far, in milliseconds. */
  readonly worked: () => number;
  readonly later: (act: () => void, ms: number) => { dispose(): void };
}

/** That of this process. */
export const processTime: WatchTime = {
  now: Date.now,
  worked: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  later: (act, ms) => {
    const timer = quietTimer(act, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

interface Pace {
  readonly watch: AgentWatch;
  /** When to look at all of its files next. */
  allAt: number;
}

/**
 * Watches which sessions of all agents work or wait. Nothing is done while nothing changes, but that processes of active sessions are checked,
 * and all files are examined from time to time, the less often the longer that takes.
 */
export class SessionWatch {
  private readonly changeEmitter = new Emitter<readonly StateChange[]>();
  /** Fires when something that is shown has changed, with the changes of state. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly states: StateChanges<SavedSession>;
  private readonly agents: readonly Pace[];
  private timer: { dispose(): void } | undefined;
  private isLooking = false;
  private isDisposed = false;
  /** When a look may begin, and when processes are checked; in milliseconds since the epoch. */
  private mayLookAt = 0;
  private checkAt = 0;

  constructor(
    agents: readonly WatchedAgent[],
    private readonly time: WatchTime,
    marks?: ReadonlySet<string>,
  ) {
    this.states = new StateChanges(marks);
    this.agents = agents.map(({ agent, ...options }) => {
      const watch = new AgentWatch(agent, { ...options, onDue: () => this.plan() });
      return { watch, allAt: 0 };
    });
    void this.look();
  }

  dispose(): void {
    this.isDisposed = true;
    this.timer?.dispose();
    for (const { watch } of this.agents) watch.dispose();
  }

  /** All recent sessions. */
  get sessions(): readonly SessionNow[] {
    return this.states.all;
  }

  /** What to give the watch of the next window. */
  get marksToLeave(): readonly string[] {
    return this.states.marksToLeave;
  }

  /** The user has looked at these sessions. */
  read(keys: readonly string[]): void {
    const isNews = keys.map((key) => this.states.read(key)).includes(true);
    if (isNews) this.changeEmitter.fire([]);
  }

  private plan(): void {
    if (this.isLooking || this.isDisposed) return;
    this.timer?.dispose();
    const { now } = this.time;
    const dueAt = this.agents.some(({ watch }) => watch.isDue)
      ? Math.max(now() + settleTime, this.mayLookAt)
      : Infinity;
    const checkAt = this.agents.some(({ watch }) => watch.isActive) ? this.checkAt : Infinity;
    const at = Math.min(dueAt, Math.max(this.mayLookAt, Math.min(checkAt, ...this.agents.map(({ allAt }) => allAt))));
    this.timer = this.time.later(() => void this.look(), Math.max(0, at - now()));
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    const { now, worked } = this.time;
    const isCheck = now() >= this.checkAt;
    if (isCheck) this.checkAt = now() + checkPause;
    let took = 0;
    // One after the other, so that the time is that of each.
    for (const agent of this.agents) {
      const begun = worked();
      const isAll = now() >= agent.allAt;
      await this.lookAt(agent.watch, isAll, isCheck, agent.allAt === 0).catch(() => undefined);
      const spent = worked() - begun;
      if (isAll) agent.allAt = now() + this.allPause(agent.watch, spent);
      else took += spent;
      if (this.isDisposed) return;
    }
    this.mayLookAt = now() + Math.max(pause, took * changeShare);
    this.isLooking = false;
    this.plan();
  }

  private allPause({ hasAny }: AgentWatch, took: number): number {
    return hasAny ? Math.min(maxAllPause, Math.max(minAllPause, took * allShare)) : firstPause;
  }

  private async lookAt(watch: AgentWatch, isAll: boolean, isCheck: boolean, isFirst: boolean): Promise<void> {
    const found = isAll ? await watch.lookAtAll() : watch.isDue ? await watch.lookAgain() : [];
    const checked = isCheck && watch.isActive ? await watch.check() : [];
    const changes: StateChange[] = [];
    let isDrawn = false;
    for (const session of [...found, ...checked]) {
      const change = await this.see(watch, session, isFirst);
      if (typeof change === 'object') changes.push(change);
      else isDrawn ||= change === 'drawn';
    }
    for (const key of watch.takeGone()) isDrawn = this.states.forget(key) || isDrawn;
    if ((isDrawn || changes.length > 0) && !this.isDisposed) this.changeEmitter.fire(changes);
  }

  private async see(
    watch: AgentWatch,
    session: SavedSession,
    isFirst: boolean,
  ): Promise<'same' | 'drawn' | StateChange> {
    const known = { key: keyOf(session), session, agentName: saverOf(session.agent).label };
    return this.states.see(known, await watch.stateOf(session), isFirst);
  }
}
