import type { JsonObject } from '../../text/json';
import { oneLine } from '../../text/text';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { metaField, versionOf } from '../../protocols/mcp/subject';
import type { TimedCall } from '../../timeline/toolTimes';
import { Timeline } from '../../timeline/timeline';
import type { ClosedFact, Fact, ResponseFact } from '../../work/facts';
import type { OpenRequest } from '../../work/requests';
import { Work } from '../../work/work';
import type { LogSink } from '../../runLog/reading/logReader';

/** How clients word it when they cancel a request that took too long. */
const timeout = /\btime(?:d )?-?out\b/i;
/** A client that ends its server earlier hasn't waited for an answer in vain, in milliseconds. */
const minWait = 10_000;
const lists = ['tools', 'prompts', 'resources'] as const;
type List = (typeof lists)[number];
/** Of a line that is no message, in characters. */
const maxJunk = 200;

/** What a server said of itself in a recording. */
export interface RecordedFacts {
  /** The result of `initialize` or `server/discover`; absent if its client asked for neither, as stateless ones do. */
  readonly greeting: JsonObject | undefined;
  readonly serverInfo: JsonObject;
  readonly protocolVersion: string | undefined;
  /** From its start to that result, in milliseconds. */
  readonly startMs: number | undefined;
  /** From asking for the tools to the last of them, in milliseconds. */
  readonly listMs: number;
  readonly pingMs: number | undefined;
  readonly tools: readonly unknown[];
  /** Unknown if no client asked. */
  readonly prompts: number | undefined;
  readonly resources: number | undefined;
}

/** What a server did beside answering. */
export interface Conduct {
  /** Lines on stdout that are no messages. */
  readonly junk?: { readonly lines: number; readonly first: string };
  /** What its client declared, such as `roots`; absent if that isn't known. */
  readonly clientDeclares?: readonly string[];
  /** What it declared, such as `tools`; absent if that isn't known. */
  readonly offers?: readonly string[];
}

interface Listed {
  readonly entries: unknown[];
  ms: number;
  /** Whether a page of it is unknown. */
  isTorn: boolean;
  isComplete: boolean;
}

/** Reads the recording of an MCP server's run: what the server said of itself, and the calls of its tools. Keeps no records. */
export class RecordedServer implements LogSink {
  readonly lastSeq = 0;
  private readonly timeline = new Timeline();
  readonly work = new Work(this.timeline);
  private spawnedAt: number | undefined;
  private greeted: Pick<RecordedFacts, 'greeting' | 'serverInfo' | 'protocolVersion' | 'startMs'> | undefined;
  private junk: Conduct['junk'];
  private clientDeclares: Conduct['clientDeclares'];
  private pingMs: number | undefined;
  private readonly listed = new Map<List, Listed>();
  /** Requests for pages after the first. */
  private readonly later = new WeakSet<OpenRequest>();
  private readonly late = new Set<string>();
  private lastAt = 0;

  /** What is known of the last process; `undefined` if it wasn't asked for its tools, or has others by now. */
  get facts(): RecordedFacts | undefined {
    const { greeted, listed, pingMs } = this;
    if (!greeted) return undefined;
    const of = (list: List): Listed | undefined => {
      const found = listed.get(list);
      if (found) return found.isComplete ? found : undefined;
      return this.offers?.includes(list) === false ? { ...emptyList(), isComplete: true } : undefined;
    };
    const tools = of('tools');
    if (!tools) return undefined;
    return {
      ...greeted,
      listMs: tools.ms,
      pingMs,
      tools: tools.entries,
      prompts: of('prompts')?.entries.length,
      resources: of('resources')?.entries.length,
    };
  }

  /** Its answer to `initialize` or `server/discover`, if it was asked. */
  get greeting(): JsonObject | undefined {
    return this.greeted?.greeting;
  }

  get conduct(): Conduct {
    const { junk, clientDeclares, offers } = this;
    return { ...(junk && { junk }), ...(clientDeclares && { clientDeclares }), ...(offers && { offers }) };
  }

  /** Whether it said that it has other tools than it listed last. */
  get hasOtherTools(): boolean {
    return this.listed.get('tools')?.isComplete === false;
  }

  private get offers(): readonly string[] | undefined {
    return this.greeting && Object.keys(objectOf(this.greeting['capabilities']));
  }

  /** The calls that are over. */
  get calls(): readonly TimedCall[] {
    const spans = this.timeline.query({ kinds: ['tool'] });
    return spans.flatMap(({ toolName, title, startedAt, endedAt, outcome, callId }): readonly TimedCall[] => {
      if (endedAt === undefined) return [];
      const tool = toolName ?? title;
      const length = Math.max(0, endedAt - startedAt);
      if (outcome === 'unanswered' && length < minWait) return [{ tool, length, outcome: 'cancelled' }];
      const isLate = outcome === 'cancelled' && this.late.has(keyOf(callId, startedAt));
      return [{ tool, length, outcome: isLate ? 'unanswered' : outcome }];
    });
  }

  fact(fact: Fact): void {
    this.lastAt = fact.event.t;
    switch (fact.type) {
      case 'process':
        if (fact.event.ev === 'spawn') this.restart(fact.event.t);
        break;
      case 'request': {
        if (fact.request.direction === 'out') this.learnClient(fact.params);
        const list = listOf(fact.request);
        if (list && textOf(fact.params['cursor']) !== undefined) this.later.add(fact.request);
        break;
      }
      case 'response':
        this.answered(fact);
        break;
      case 'junk':
        if (fact.dir === 'a2c' && fact.why !== 'too-long' && fact.why !== 'batch') this.addJunk(fact.event.line);
        break;
      case 'closed':
        if (fact.request.role === 'tool' && fact.how !== 'answered' && timeout.test(reasonOf(fact))) {
          this.late.add(keyOf(String(fact.request.id), fact.request.startedAt));
        }
        break;
      case 'notification': {
        const changed = /^notifications\/(\w+)\/list_changed$/.exec(fact.method)?.[1];
        for (const list of lists) if (list === changed) this.listed.set(list, emptyList());
        break;
      }
      default:
    }
  }

  begin(): void {
    this.work.end(this.lastAt);
    this.restart(undefined);
  }

  record(): void {
    // Only facts are used.
  }

  session(): void {
    // MCP has none.
  }

  end(): void {
    // Calls that were open have ended with it.
  }

  private restart(at: number | undefined): void {
    this.spawnedAt = at;
    this.greeted = undefined;
    this.junk = undefined;
    this.clientDeclares = undefined;
    this.pingMs = undefined;
    this.listed.clear();
  }

  private answered({ request, result, error, event }: ResponseFact): void {
    if (request?.direction !== 'out' || error) return;
    const ms = event.t - request.startedAt;
    const list = listOf(request);
    if (list) {
      // A stateless client sends nothing before.
      this.greeted ??= { ...identityIn(request, objectOf(result)), greeting: undefined, startMs: undefined };
      // Not if its long texts were cut in the journal.
      return this.learnList(list, request, event.bytes === undefined ? objectOf(result) : undefined, ms);
    }
    if (request.method === 'ping') this.pingMs = ms;
    if (request.method === 'initialize' || request.method === 'server/discover') this.greet(request, result, event.t);
  }

  /** @param at when it answered with that */
  private greet(request: OpenRequest, result: unknown, at: number): void {
    const greeting = objectOf(result);
    const startMs = this.spawnedAt === undefined ? undefined : at - this.spawnedAt;
    this.greeted = { ...identityIn(request, greeting), greeting, startMs };
  }

  private learnClient(params: JsonObject): void {
    const declared = metaField(params, 'clientCapabilities') ?? params['capabilities'];
    if (this.clientDeclares || !isObject(declared)) return;
    this.clientDeclares = Object.keys(declared).filter((name) => name !== 'extensions' && name !== 'experimental');
  }

  private addJunk(line: string): void {
    if (line.trim() === '') return;
    this.junk = { lines: (this.junk?.lines ?? 0) + 1, first: this.junk?.first ?? oneLine(line, maxJunk) };
  }

  private learnList(list: List, request: OpenRequest, result: JsonObject | undefined, ms: number): void {
    if (!this.later.has(request)) this.listed.set(list, emptyList());
    const listed = this.listed.get(list);
    if (!listed) return;
    const cursor = textOf(result?.['nextCursor']) ?? '';
    for (const entry of arrayOf(result?.[list])) listed.entries.push(entry);
    listed.ms += ms;
    listed.isTorn ||= result === undefined;
    listed.isComplete = !listed.isTorn && cursor === '';
  }
}

/** What a server calls itself in any of its answers. */
function identityIn(request: OpenRequest, result: JsonObject): Pick<RecordedFacts, 'serverInfo' | 'protocolVersion'> {
  const info = metaField(result, 'serverInfo');
  return {
    serverInfo: objectOf(isObject(info) ? info : result['serverInfo']),
    protocolVersion: textOf(result['protocolVersion']) ?? versionOf(request),
  };
}

function listOf({ method }: OpenRequest): List | undefined {
  return lists.find((list) => method === `${list}/list`);
}

function emptyList(): Listed {
  return { entries: [], ms: 0, isTorn: false, isComplete: false };
}

function keyOf(callId: string | undefined, startedAt: number): string {
  return `${callId} ${startedAt}`;
}

/** Why a request was cancelled, in the client's words. */
function reasonOf({ event }: ClosedFact): string {
  if (event.dir === 'ev') return 'message' in event ? (textOf(event.message) ?? '') : '';
  return textOf(objectOf(objectOf(event.msg)['params'])['reason']) ?? '';
}
