import { BoundedMap } from '../../text/boundedMap';
import { ownHead } from '../../text/ownText';
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
/** More than a run has sessions, so that none is evicted. */
const maxSessions = 1200;

/** The sessions of a reader. */
export class AcpSessions {
  private readonly sessions = new BoundedMap<string, AcpSession>(maxSessions);
  private readonly things = new BoundedMap<string, AcpThings>(maxBusy);
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
    this.latest = this.latestThings = undefined;
  }
}
