import { BoundedMap } from '../../text/boundedMap';
import { ownHead } from '../../text/ownText';
import type { OpenRequest } from '../../work/requests';
import { Prompts } from './prompts';
import type { Subagents } from './subagents';

/** Cost of a session in US dollars. */
interface Cost {
  readonly total: number;
  /** Before the running turn. Unknown if the session was resumed. */
  readonly before: number | undefined;
}

/** What is remembered of a session however often its process starts again. */
interface Lasting {
  /** The first prompt, as a title. */
  firstPrompt?: string;
  /** Whether the agent has titled it. */
  isTitled?: boolean;
  cost?: Cost;
  /** The latest notice about another model. */
  fallback?: string;
  /** The latest error, as JSON: agents repeat the same `_meta`. */
  latestError?: string;
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

/** What a session's updates refer back to, by ID. */
class AcpThings {
  readonly calls = new BoundedMap<string, Call>(maxCalls);
  readonly terminals = new BoundedMap<string, Terminal>(maxTerminals);
  readonly compactions = new BoundedMap<string, Compaction>(maxCompactions);
  /** The lengths of messages that came in chunks. */
  readonly lengths = new BoundedMap<string, number>(maxMessages);
  /** Prefixes of messages between sessions whose text arrives in chunks. */
  readonly leads = new BoundedMap<string, string>(maxMessages);
  /** Background terminals that the client cancelled, as items. */
  readonly cancelled = new BoundedMap<string, true>(maxTerminals);
}

/** All that a reader remembers of a session. */
export class AcpSession {
  readonly prompts = new Prompts();
  /** The background work in its latest list. */
  background: readonly Item[] = [];
  /** How many updates its replay has had so far, if its history is being sent. */
  replayed: number | undefined;
  /** Whether its history is complete while its root's isn't. */
  isReplayComplete = false;

  constructor(
    readonly id: string,
    readonly lasting: Lasting = {},
  ) {}
}

/** An ID from the wire, as a key. Cut, as it is only compared. */
export function keyOf(id: string): string {
  return ownHead(id, maxKey);
}

const maxKey = 256;
/** How many sessions, those that were busy last, keep things that may be large. */
const maxBusy = 30;
/** Requests during which the agent sends a session's history. */
const replaying = new Set(['session/load', 'session/resume']);
/** More than a run has sessions, so that none is evicted. */
const maxSessions = 1200;

/** The sessions of a reader. */
export class AcpSessions {
  private readonly sessions = new BoundedMap<string, AcpSession>(maxSessions);
  private readonly things = new BoundedMap<string, AcpThings>(maxBusy);
  /** How many sessions are being loaded. */
  loading = 0;
  private latest: AcpSession | undefined;
  private latestThings: { readonly id: string; readonly things: AcpThings } | undefined;

  of(id: string): AcpSession {
    if (this.latest?.id !== id) this.latest = this.sessions.ensure(id, () => new AcpSession(id));
    return this.latest;
  }

  get(id: string): AcpSession | undefined {
    return this.sessions.get(id);
  }

  thingsOf(id: string): AcpThings {
    if (this.latestThings?.id === id) return this.latestThings.things;
    const things = this.things.get(id) ?? new AcpThings();
    this.things.set(id, things);
    this.latestThings = { id, things };
    return things;
  }

  values(): readonly AcpSession[] {
    return this.sessions.values();
  }

  /** Forgets what ended with the process; another may follow in the same log. */
  clear(): void {
    for (const { id, lasting } of this.values()) this.sessions.update(id, new AcpSession(id, lasting));
    this.things.clear();
    this.loading = 0;
    this.latest = this.latestThings = undefined;
  }
}

/** Tells history from live updates: history comes before the answer to `session/load` or `session/resume`, or before `replay_complete`. */
export class Replays {
  constructor(
    private readonly sessions: AcpSessions,
    private readonly subagents: Pick<Subagents, 'lineage'>,
  ) {}

  begin({ method, direction, sessionId }: OpenRequest): void {
    if (direction !== 'out' || sessionId === undefined || !replaying.has(method)) return;
    const session = this.sessions.of(sessionId);
    if (session.replayed === undefined) this.sessions.loading++;
    session.replayed = 0;
  }

  /** Handles the answer to a request. Returns the number of replayed updates. */
  end({ method, sessionId }: OpenRequest): number {
    if (sessionId === undefined || !replaying.has(method)) return 0;
    const session = this.sessions.of(sessionId);
    const count = session.replayed;
    if (count === undefined) return 0;
    session.replayed = undefined;
    this.sessions.loading--;
    if (this.sessions.loading === 0) for (const one of this.sessions.values()) one.isReplayComplete = false;
    return count;
  }

  /** Returns whether an update of this session is history, and counts it if so. */
  count(sessionId: string): boolean {
    const root = this.rootOf(sessionId);
    if (root?.replayed === undefined) return false;
    root.replayed++;
    return true;
  }

  isReplaying(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.rootOf(sessionId) !== undefined;
  }

  /** Handles `replay_complete`: updates are live from here on. */
  completed(sessionId: string): void {
    if (this.sessions.loading > 0) this.sessions.of(sessionId).isReplayComplete = true;
  }

  private rootOf(sessionId: string): AcpSession | undefined {
    if (this.sessions.loading === 0) return undefined;
    for (const id of this.subagents.lineage(sessionId)) {
      const session = this.sessions.get(id);
      if (session?.isReplayComplete === true) return undefined;
      if (session?.replayed !== undefined) return session;
    }
    return undefined;
  }
}
