import type { SessionNow, StateChange } from '../past/saved/now/stateChanges';
import { StateChanges } from '../past/saved/now/stateChanges';
import type { SessionState } from '../past/saved/now/sessionState';
import { isGoingOn } from '../diagnosis/sessionSummary';
import type { LogGroup } from '../runLog/logGroup';
import type { RunView } from '../runLog/runView';
import type { Event } from '../text/emitter';
import { Emitter } from '../text/emitter';
import type { LiveSession } from './liveSession';

interface RunsHere {
  readonly all: readonly RunView[];
  readonly onDidAdd: Event<RunView>;
  readonly onDidRemove: Event<RunView>;
}

/** Follows what the sessions of this window's runs do. */
export class LiveSessions {
  private readonly changeEmitter = new Emitter<readonly StateChange<LiveSession>[]>();
  /** Fires when something that is shown has changed, with the changes of state. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly states = new StateChanges<LiveSession>();
  private readonly followed = new Map<RunView, { dispose(): void }>();
  private readonly listeners;

  constructor(runs: RunsHere) {
    for (const run of runs.all) this.follow(run, true);
    this.listeners = [runs.onDidAdd((run) => this.follow(run, false)), runs.onDidRemove((run) => this.leave(run))];
  }

  dispose(): void {
    for (const one of [...this.listeners, ...this.followed.values()]) one.dispose();
  }

  /** All that have had a turn. */
  get sessions(): readonly SessionNow<LiveSession>[] {
    return this.states.all;
  }

  /** The user has looked at these sessions. */
  read(keys: readonly string[]): void {
    const isNews = keys.map((key) => this.states.read(key)).includes(true);
    if (isNews) this.changeEmitter.fire([]);
  }

  /** @param isFirst true if it was there before anything was followed, so that nothing has just happened */
  private follow(run: RunView, isFirst: boolean): void {
    const { log } = run;
    this.look(run, log.sessions, isFirst);
    const groups = (ids: ReadonlySet<string | undefined>): readonly LogGroup[] =>
      [...ids].flatMap((id) => (id === undefined ? [] : (log.find(id) ?? [])));
    const listeners = [
      log.onDidChange((change) => this.look(run, groups(change.groups), false)),
      run.onDidChangeState(({ type }) => {
        if (type === 'ended') this.ended(run);
      }),
    ];
    this.followed.set(run, { dispose: () => listeners.forEach((one) => one.dispose()) });
  }

  /** Another program may go on with its sessions, which needn't have changed. */
  private ended(run: RunView): void {
    this.states.renew();
    if (this.sessions.some(({ session }) => session.run === run)) this.changeEmitter.fire([]);
  }

  private leave(run: RunView): void {
    this.followed.get(run)?.dispose();
    this.followed.delete(run);
    const known = this.sessions.filter(({ session }) => session.run === run);
    for (const { key } of known) this.states.forget(key);
    if (known.length > 0) this.changeEmitter.fire([]);
  }

  private look(run: RunView, groups: readonly LogGroup[], isFirst: boolean): void {
    const changes: StateChange<LiveSession>[] = [];
    let isDrawn = false;
    for (const group of groups) {
      const change = this.see(run, group, isFirst);
      if (typeof change === 'object') changes.push(change);
      else isDrawn ||= change === 'drawn';
    }
    if (isDrawn || changes.length > 0) this.changeEmitter.fire(changes);
  }

  private see(run: RunView, group: LogGroup, isFirst: boolean): 'same' | 'drawn' | StateChange<LiveSession> {
    const { id, title, parent, lastAt } = group;
    const state = stateOf(group);
    if (id === undefined || !state) return 'same';
    const key = `live:${run.id} ${id}`;
    // A subagent works for its session.
    if (parent !== undefined) return this.states.forget(key) ? 'drawn' : 'same';
    const session = { id, ...(title !== undefined && { title }), folder: run.cwd, modifiedAt: lastAt, run };
    return this.states.see({ key, session, agentName: run.name }, state, isFirst);
  }
}

/** What a session does, or how its newest turn ended; `undefined` if it has had none. */
function stateOf({ summary }: LogGroup): SessionState | undefined {
  const { activity, lastTurn } = summary ?? {};
  if (activity && isGoingOn(activity)) {
    return activity.type === 'waiting-for-person'
      ? { type: 'waiting', doing: activity }
      : { type: 'working', doing: activity };
  }
  if (!lastTurn) return undefined;
  const { outcome, at, why, cause = why } = lastTurn;
  switch (outcome) {
    case 'error':
    case 'unanswered':
    case 'refused':
      return { type: 'failed', at, cause };
    case 'cancelled':
    case 'stopped':
      return { type: 'idle', at };
    default:
      return { type: 'done', at };
  }
}
