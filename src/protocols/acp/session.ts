import { BoundedMap } from '../../text/boundedMap';
import type { Item } from './background';
import { Prompts } from './prompts';

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

/** More than a run has sessions, so that none is evicted. */
const maxSessions = 1200;

/** The sessions of a reader. */
export class AcpSessions {
  private readonly sessions = new BoundedMap<string, AcpSession>(maxSessions);
  private latest: AcpSession | undefined;

  of(id: string): AcpSession {
    if (this.latest?.id !== id) this.latest = this.sessions.ensure(id, () => new AcpSession(id));
    return this.latest;
  }

  get(id: string): AcpSession | undefined {
    return this.sessions.get(id);
  }

  values(): readonly AcpSession[] {
    return this.sessions.values();
  }

  /** Forgets what ended with the process; another may follow in the same log. */
  clear(): void {
    for (const { id, lasting } of this.values()) this.sessions.update(id, new AcpSession(id, lasting));
    this.latest = undefined;
  }
}
