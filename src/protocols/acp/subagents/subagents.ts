import { shortId } from '../../../log/sessionLabel';
import { oneLine } from '../../../log/text';
import { BoundedMap } from '../../boundedMap';
import type { JsonObject } from '../../json';
import { isObject, objectOf, textOf } from '../../json';
import { otherSessions } from '../sessionIds';

/** A session that the agent opened for a subagent. */
export interface Child {
  readonly id: string;
  /** The session that announced it first. */
  readonly parent: string;
  title: string | undefined;
  description: string | undefined;
  /** As reported last, by either side; `undefined` if the agent doesn't know or doesn't say. */
  state: string | undefined;
  hasStarted?: boolean;
  /** Whether the client may cancel it alone. */
  canCancel?: boolean;
}

/** What is wrong with an announcement, which is then only shown. */
export type Misannounced = 'itself' | 'ancestor' | 'other-parent' | 'too-many';

export interface Announcement {
  readonly child: Child | undefined;
  readonly isNew: boolean;
  readonly problem?: Misannounced;
}

const maxChildren = 1000;
/** Deeper ones are shown below the deepest. */
const maxDepth = 50;
const maxText = 200;

/** The child sessions of a run: who announced whom, what they are called, and what they do. */
export class Subagents {
  private readonly children = new BoundedMap<string, Child>(maxChildren);

  /** A `subagent_update`, of which only what it names has changed. */
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

  /** The session and those above it, the root last. */
  lineage(id: string): string[] {
    const line = [id];
    for (let child = this.children.get(id); child && line.length <= maxDepth; child = this.children.get(child.parent)) {
      line.push(child.parent);
    }
    return line;
  }

  /** Children at any depth, oldest first. */
  below(id: string): Child[] {
    if (this.children.size === 0) return [];
    return this.children.values().filter((child) => this.lineage(child.parent).includes(id));
  }

  newest(count: number): readonly Child[] {
    return this.children.values().slice(-count);
  }

  /** What to call a session in the log of another. */
  nameOf(id: string): string {
    const child = this.children.get(id);
    return child ? `"${nameOf(child)}"` : `…${shortId(id)}`;
  }

  /** Remembers a state. Returns whether it is news: in version 2 both sides report it. */
  changeState(id: string, state: unknown): boolean {
    const child = this.children.get(id);
    if (!child) return true;
    const next = textOf(objectOf(state)['state']) ?? textOf(state);
    const before = child.state;
    child.state = next?.slice(0, 40);
    return before !== child.state;
  }

  /** What is wrong with an announcement by this session, if anything. */
  problemWith(parent: string, id: string): Misannounced | undefined {
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

/** The state that an announcement reports, if it does. */
export function reportedState(update: JsonObject): JsonObject | undefined {
  const { state } = update;
  return isObject(state) ? state : undefined;
}

function textIn(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : oneLine(text, maxText);
}
