import type { WireMessage } from '../../../wire/wireEvent';
import type { ActivityDraft, ActivityFact } from '../../../work/activity';
import { maxActivityId } from '../../../work/activity';
import { BoundedMap } from '../../../log/boundedMap';
import type { RequestFact, ResponseFact } from '../../../work/facts';
import type { JsonObject } from '../../../log/json';
import { textOf } from '../../../log/json';
import { closesSession } from '../sessionChanges';
import { sessionKey } from '../../sessionIds';
import type { SessionIds } from '../../sessionIds';
import type { PromptTurns } from '../turns/promptTurns';
import type { StateUpdates } from '../turns/stateUpdates';
import type { Child, Subagents } from './subagents';
import { nameOf, reportedState } from './subagents';

/** State that is up to date with the line before its facts are created. */
export interface StateContext {
  readonly subagents: Subagents;
  readonly sessions: SessionIds;
  readonly states: Pick<StateUpdates, 'takeBackground'>;
}

const maxChildren = 1000;

/** Yields facts from session states: subagents that start and end, background work, sessions that wait for the user. */
export class StateActivities {
  /** Terminals that the client cancelled, as background items. */
  private readonly cancelled = new BoundedMap<string, true>(maxChildren);

  constructor(
    private readonly tell: (fact: ActivityFact) => void,
    private readonly turns: PromptTurns,
    private readonly context: StateContext,
  ) {}

  /** @param update a `state_update`, or the state in a `subagent_update` */
  changed(event: WireMessage, sessionId: string, update: JsonObject): void {
    const child = this.context.subagents.get(sessionId);
    if (child) this.childChanged(event, child, update);
    this.turns.stateChanged(event, sessionId, update);
    if (update['state'] === 'requires_action') this.add(event, sessionId, { type: 'waiting' });
    this.listBackground(event, sessionId);
  }

  /** Handles a `subagent_update`. Without a state, it counts as a start. */
  announced(event: WireMessage, parent: string, update: JsonObject): void {
    const { sessions, subagents } = this.context;
    const named = textOf(update['sessionId']);
    if (named === undefined) return;
    const id = sessions.file(named, event.t);
    const child = subagents.get(id);
    const problem = subagents.problemWith(parent, id);
    if (problem !== undefined || !child) {
      return this.add(event, parent, { ...about(id, child), change: 'refused', problem });
    }
    const state = reportedState(update);
    if (state) this.changed(event, id, state);
    else if (!('state' in update) && !child.hasStarted) this.childChanged(event, child, { state: 'running' });
  }

  requested({ request: { method, sessionId }, params }: RequestFact): void {
    const id = textOf(params['terminalId']);
    if (method === 'terminal/cancel' && id !== undefined) {
      this.cancelled.set(cancelKey(sessionId, `terminal ${id}`), true);
    }
  }

  /** Closing a session ends its subagents. */
  answered({ request, error, event }: ResponseFact): void {
    const sessionId = request?.sessionId;
    if (error || sessionId === undefined || !closesSession(request?.method ?? '')) return;
    for (const child of this.context.subagents.below(sessionId)) {
      this.childChanged(event, child, { state: 'idle', stopReason: 'cancelled' });
    }
  }

  /** Forgets everything when the run ends. */
  clear(): void {
    this.cancelled.clear();
  }

  private childChanged(event: WireMessage, child: Child, { state, stopReason, error }: JsonObject): void {
    const { isWorking = false } = child;
    child.hasStarted = true;
    if ((state === 'running' || state === 'requires_action') && !isWorking) {
      child.isWorking = true;
      return this.add(event, child.parent, { ...about(child.id, child), change: 'started' });
    }
    if (state !== 'idle' || !isWorking) return;
    child.isWorking = false;
    const isFailed = (error !== undefined && error !== null) || stopReason === 'error';
    const outcome = isFailed ? 'failed' : stopReason === 'cancelled' ? 'cancelled' : 'completed';
    this.add(event, child.parent, { ...about(child.id, child), change: 'ended', outcome });
  }

  private listBackground(event: WireMessage, sessionId: string): void {
    const { ended, started } = this.context.states.takeBackground(sessionId);
    for (const { id, title } of ended) {
      const outcome = this.cancelled.has(cancelKey(sessionId, id)) ? 'cancelled' : undefined;
      this.add(event, sessionId, { type: 'subagent', change: 'ended', id, title, outcome });
    }
    for (const { id, title, isSubagent } of started) {
      if (!isSubagent) this.add(event, sessionId, { type: 'subagent', change: 'started', id, title });
    }
  }

  private add(event: WireMessage, sessionId: string, activity: ActivityDraft): void {
    this.tell({ ...activity, event, sessionId });
  }
}

function cancelKey(sessionId: string | undefined, item: string): string {
  return sessionKey(sessionId, item.slice(0, maxActivityId));
}

function about(id: string, child: Child | undefined): { type: 'subagent'; id: string; title: string | undefined } {
  return { type: 'subagent', id: id.slice(0, maxActivityId), title: child && nameOf(child) };
}
