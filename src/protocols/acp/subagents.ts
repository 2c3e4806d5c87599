import { shortId } from '../../text/sessionLabel';
import { oneLine } from '../../text/text';
import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { maxActivityId } from '../../work/activity';
import { otherSessions } from '../sessionIds';
import type { AcpWriter } from './writer';

/** A session that the agent opened for a subagent. */
export interface Child {
  readonly id: string;
  /** The first session that announced it. */
  readonly parent: string;
  title: string | undefined;
  description: string | undefined;
  /** The state last reported by either side; `undefined` if unknown. */
  state: string | undefined;
  hasStarted?: boolean;
  /** Whether its start was reported as a fact, and not its end. */
  isWorking?: boolean;
  /** The state last shown in its parent's log, which isn't repeated. */
  shown?: string | undefined;
  /** Whether the client may cancel it on its own. */
  canCancel?: boolean;
}

/** Why an announcement is invalid. Invalid ones are shown but otherwise ignored. */
export type Misannounced = 'itself' | 'ancestor' | 'other-parent' | 'too-many';

export interface Announcement {
  readonly child: Child | undefined;
  readonly isNew: boolean;
  readonly problem?: Misannounced;
}

const maxChildren = 1000;
/** Maximum nesting depth. Sessions below it are shown at the maximum. */
const maxDepth = 50;
const maxText = 200;

/** The child sessions of a run: their parents, names and states. */
export class Subagents {
  private readonly children = new BoundedMap<string, Child>(maxChildren);

  /** Handles a `subagent_update`, which contains only changed fields. */
  announce(parent: string, id: string, update: JsonObject): Announcement {
    const known = this.children.get(id);
    const problem = this.problemWith(parent, id);
    if (problem !== undefined) return { child: known, isNew: false, problem };
    const child = known ?? { id, parent, title: undefined, description: undefined, state: undefined };
    if ('title' in update) child.title = textIn(update['title']);
    if ('description' in update) child.description = textIn(update['description']);
    if ('capabilities' in update) child.canCancel = isObject(objectOf(update['capabilities'])['cancel']);
    if (!known) this.children.set(id, child);
    return { child, isNew: !known };
  }

  get(id: string | undefined): Child | undefined {
    return id === undefined ? undefined : this.children.get(id);
  }

  get size(): number {
    return this.children.size;
  }

  /** The session and its ancestors, root last. */
  lineage(id: string): string[] {
    const line = [id];
    for (let child = this.children.get(id); child && line.length <= maxDepth; child = this.children.get(child.parent)) {
      line.push(child.parent);
    }
    return line;
  }

  /** Descendants, oldest first. */
  below(id: string | undefined): Child[] {
    if (id === undefined || this.children.size === 0) return [];
    return this.children.values().filter((child) => this.lineage(child.parent).includes(id));
  }

  newest(count: number): readonly Child[] {
    return this.children.values().slice(-count);
  }

  /** The name of a session in the log of another. */
  nameOf(id: string): string {
    const child = this.children.get(id);
    return child ? `"${nameOf(child)}"` : `…${shortId(id)}`;
  }

  /** Stores a state. Returns whether it is new: in version 2, both sides report it. */
  changeState(id: string, state: unknown): boolean {
    const child = this.children.get(id);
    if (!child) return true;
    const next = textOf(objectOf(state)['state']) ?? textOf(state);
    const before = child.state;
    child.state = next?.slice(0, 40);
    return before !== child.state;
  }

  /** Forgets the states when the process has ended. */
  clearStates(): void {
    for (const child of this.children.values()) {
      child.state = undefined;
      child.isWorking = false;
    }
  }

  /** Why an announcement by this session is invalid, or `undefined`. */
  private problemWith(parent: string, id: string): Misannounced | undefined {
    const known = this.children.get(id);
    if (id === parent) return 'itself';
    if (id === otherSessions || parent === otherSessions) return 'too-many';
    if (known) return known.parent === parent ? undefined : 'other-parent';
    const above = this.lineage(parent);
    if (above.includes(id)) return 'ancestor';
    return above.length > maxDepth || this.children.size >= maxChildren ? 'too-many' : undefined;
  }
}

export function nameOf({ id, title, description }: Child): string {
  return title ?? description ?? `…${shortId(id)}`;
}

/** Reports that a subagent starts or stops working, by its state. */
export function childChanged(
  out: Pick<AcpWriter, 'fact' | 'isReplay'>,
  child: Child,
  { state, stopReason, error }: JsonObject,
): void {
  if (out.isReplay) return;
  const { isWorking = false, parent } = child;
  child.hasStarted = true;
  if ((state === 'running' || state === 'requires_action') && !isWorking) {
    child.isWorking = true;
    return out.fact(parent, { ...subagent(child.id, child), change: 'started' });
  }
  if (state !== 'idle' || !isWorking) return;
  child.isWorking = false;
  const isFailed = (error !== undefined && error !== null) || stopReason === 'error';
  const outcome = isFailed ? 'failed' : stopReason === 'cancelled' ? 'cancelled' : 'completed';
  out.fact(parent, { ...subagent(child.id, child), change: 'ended', outcome });
}

/** What a fact says about any subagent. */
export function subagent(
  id: string,
  child: Child | undefined,
): { readonly type: 'subagent'; readonly id: string; readonly title: string | undefined } {
  return { type: 'subagent', id: id.slice(0, maxActivityId), title: child && nameOf(child) };
}

function textIn(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : oneLine(text, maxText);
}
