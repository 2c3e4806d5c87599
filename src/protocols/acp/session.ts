import { BoundedMap } from '../../text/boundedMap';
import { ownKey } from '../../text/ownText';
import { markedId } from '../../text/sessionLabel';
import type { OpenRequest } from '../../work/requests';
import type { SessionCommand } from '../interpreter';
import { Prompts } from './prompts';

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

export function nameOf({ id, title, description }: Child): string {
  return title ?? description ?? markedId(id);
}

/** What is remembered of a session however often its process starts again. */
interface Lasting {
  /** The first prompt, as a title. */
  firstPrompt?: string;
  /** Whether the agent has titled it. */
  isTitled?: boolean;
  /** In US dollars. `before` the running turn is unknown if the session was resumed. */
  cost?: { readonly total: number; readonly before: number | undefined };
  /** The latest notice about another model. */
  fallback?: string;
  /** The latest error, as JSON: agents repeat the same `_meta`. */
  latestError?: string;
  /** Absent unless it is a subagent's. */
  child?: Child;
}

/** Work in the background of a session. */
export interface Item {
  readonly id: string;
  readonly title: string;
  /** Also announced as a subagent. */
  readonly isSubagent: boolean;
}

/** One of the agent's own terminals (ACP v2 "Terminals"). Output is bytes in base64, and a character may be split between chunks. */
export interface Terminal {
  command: string | undefined;
  /** The end of its output. */
  output: string;
  readonly decoder: InstanceType<typeof TextDecoder>;
}

interface Call {
  /** Its title, because updates only contain the ID. */
  readonly title: string | undefined;
  /** It began in the history. It may end after the replay, which isn't work either. */
  readonly isOld: boolean;
}

interface Compaction {
  readonly status: string | undefined;
  /** Absent if it was only part of the history. */
  readonly hasEnded: boolean | undefined;
}

const maxCalls = 200;
const maxTerminals = 50;
const maxCompactions = 50;
const maxMessages = 100;

/** All that a reader remembers of a session. */
export class AcpSession {
  readonly prompts = new Prompts();
  /** The background work in its latest list. */
  background: readonly Item[] = [];
  /** How many updates its replay has had so far, if its history is being sent. */
  replayed: number | undefined;
  /** Whether its history is complete while its root's isn't. */
  isReplayComplete = false;
  /** Counts up with each use of any session; `undefined` if what may be large was dropped, or was never there. */
  usedAt: number | undefined;

  // What updates refer back to, by ID. It may be large.
  readonly calls = new BoundedMap<string, Call>(maxCalls);
  readonly terminals = new BoundedMap<string, Terminal>(maxTerminals);
  readonly compactions = new BoundedMap<string, Compaction>(maxCompactions);
  /** The lengths of messages that came in chunks. */
  readonly lengths = new BoundedMap<string, number>(maxMessages);
  /** Prefixes of messages between sessions whose text arrives in chunks. */
  readonly leads = new BoundedMap<string, string>(maxMessages);
  /** Background terminals that the client cancelled, as items. */
  readonly cancelled = new BoundedMap<string, true>(maxTerminals);

  constructor(
    readonly id: string,
    readonly lasting: Lasting = {},
  ) {}

  get child(): Child | undefined {
    return this.lasting.child;
  }

  /** Drops what may be large. */
  dropDetails(): void {
    const { calls, terminals, compactions, lengths, leads, cancelled } = this;
    for (const map of [calls, terminals, compactions, lengths, leads, cancelled]) map.clear();
    this.usedAt = undefined;
  }
}

/** An ID from the wire, as a key. Cut, as it is only compared. */
export function keyOf(id: string): string {
  return ownKey(id, maxKey);
}

const maxKey = 256;
/** How many sessions, those that were used last, keep what may be large. */
const maxBusy = 30;
/** More than a run has sessions, so that none is evicted. */
const maxSessions = 1200;
/** Maximum nesting depth of subagents. */
export const maxDepth = 50;

/** Requests during which the agent sends a session's history: before their answer, or before `replay_complete`. */
const replaying = new Set(['session/load', 'session/resume']);

/** Requests that end a session and its turn (ACP "Session Setup"). */
const closing = new Set(['session/close', 'session/delete']);

export function closesSession(method: string): boolean {
  return closing.has(method);
}

/** The sessions of a run, and which of them are subagents' of others. */
export class SessionMap {
  private readonly sessions = new BoundedMap<string, AcpSession>(maxSessions);
  private uses = 0;
  /** How many sessions are being loaded. */
  private loading = 0;
  /** The latest commands of any session: most sessions of an agent have the same, which are kept once. */
  commands: readonly SessionCommand[] = [];

  /** The session, which is in use. */
  of(id: string): AcpSession {
    const session = this.sessions.get(id) ?? new AcpSession(id);
    if (session.usedAt === undefined) this.makeRoomFor(session);
    session.usedAt = ++this.uses;
    return session;
  }

  get(id: string | undefined): AcpSession | undefined {
    return id === undefined ? undefined : this.sessions.get(id);
  }

  /** Forgets what ended with the process; another may follow in the same log. */
  clear(): void {
    for (const { id, lasting } of this.sessions.values()) {
      const { child } = lasting;
      if (child) lasting.child = { ...child, state: undefined, isWorking: false };
      this.sessions.update(id, new AcpSession(id, lasting));
    }
    this.loading = 0;
  }

  /** The session and those that started it, root last. */
  lineage(id: string): string[] {
    const line = [id];
    let child = this.get(id)?.child;
    for (; child && line.length <= maxDepth; child = this.get(child.parent)?.child) line.push(child.parent);
    return line;
  }

  /** The subagents of a run. */
  get children(): readonly Child[] {
    return this.sessions.values().flatMap(({ child }) => child ?? []);
  }

  /** The subagents of a session, and theirs. */
  below(id: string | undefined): readonly Child[] {
    return id === undefined ? [] : this.children.filter(({ parent }) => this.lineage(parent).includes(id));
  }

  /** The client sends a request, which may start a replay. */
  beginReplay({ method, direction, sessionId }: OpenRequest): void {
    if (direction !== 'out' || sessionId === undefined || !replaying.has(method)) return;
    const session = this.of(sessionId);
    if (session.replayed === undefined) this.loading++;
    session.replayed = 0;
  }

  /** Handles the answer to a request. Returns the number of replayed updates. */
  endReplay({ method, sessionId }: OpenRequest): number {
    const session = replaying.has(method) ? this.get(sessionId) : undefined;
    const count = session?.replayed;
    if (!session || count === undefined) return 0;
    session.replayed = undefined;
    this.loading--;
    if (this.loading === 0) for (const one of this.sessions.values()) one.isReplayComplete = false;
    return count;
  }

  /** Returns whether an update of this session is history, and counts it if so. */
  countReplayed(sessionId: string): boolean {
    const root = this.rootOf(sessionId);
    if (root?.replayed === undefined) return false;
    root.replayed++;
    return true;
  }

  isReplaying(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.rootOf(sessionId) !== undefined;
  }

  /** Handles `replay_complete`: updates are live from here on. */
  completeReplay(session: AcpSession): void {
    if (this.loading > 0) session.isReplayComplete = true;
  }

  private rootOf(sessionId: string): AcpSession | undefined {
    if (this.loading === 0) return undefined;
    for (const id of this.lineage(sessionId)) {
      const session = this.sessions.get(id);
      if (session?.isReplayComplete === true) return undefined;
      if (session?.replayed !== undefined) return session;
    }
    return undefined;
  }

  private makeRoomFor(session: AcpSession): void {
    this.sessions.ensure(session.id, () => session);
    const busy = this.sessions.values().filter(({ usedAt }) => usedAt !== undefined);
    if (busy.length < maxBusy) return;
    busy.reduce((a, b) => ((a.usedAt ?? 0) < (b.usedAt ?? 0) ? a : b)).dropDetails();
  }
}
