import { BoundedMap } from '../../text/boundedMap';
import { inputDigest } from '../../work/tools/inputDigest';
import type { Call, Join, ServerCall } from './call';
import { timesOf } from './call';
import type { Inferred } from './resolveCalls';
import { resolveCalls } from './resolveCalls';
import type { NameMatch } from './toolNames';
import { matchName } from './toolNames';

const maxCalls = 10_000;
/** Of calls with equal arguments, the newest count. */
const maxAlike = 1000;
/** Distinct names of tools whose comparison is remembered. */
const maxNames = 2000;

/** A request, with what it is looked up by. */
interface KnownRequest extends ServerCall {
  readonly key: string;
  /** The server and its tool. */
  readonly tool: string;
}

/** Calls with equal arguments. */
interface Alike {
  readonly calls: Map<string, Call>;
  readonly requests: Map<string, KnownRequest>;
  isResolved: boolean;
  joins: readonly Inferred<KnownRequest>[];
  /** Requests that no call of the agent can have caused. */
  alone: readonly ServerCall[];
}

/**
 * Joins the tool calls of an agent's run with the requests to MCP servers that they caused. Only what has changed is compared again. If two calls could
 * have caused a request, none is named.
 */
export class CallJoiner {
  private readonly calls = new BoundedMap<string, Call>(maxCalls);
  private readonly requests = new BoundedMap<string, KnownRequest>(maxCalls);
  private readonly alike = new Map<string, Alike>();
  /** By tool and by the agent's name. */
  private readonly matches = new BoundedMap<string, BoundedMap<string, NameMatch | undefined>>(maxNames);
  /** The calls that have each mark. */
  private readonly byMark = new Map<string, Set<string>>();
  private known: readonly Join[] | undefined;

  /** Adds a tool call of the agent, or what has changed about it. */
  addCall(call: Call): void {
    const before = this.calls.get(call.id);
    if (before && (before === call || isSame(before, call))) return;
    if (before) {
      this.alikeOf(before).calls.delete(call.id);
      this.mark(before, false);
    }
    const evicted = before ? undefined : this.calls.set(call.id, call);
    if (before) this.calls.update(call.id, call);
    if (evicted) {
      this.drop(evicted, this.alikeOf(evicted).calls, evicted.id);
      this.mark(evicted, false);
    }
    this.mark(call, true);
    const group = this.touch(call);
    group.calls.set(call.id, call);
    trim(group.calls);
  }

  /** Adds a request to a server, or what has changed about it. */
  addRequest(call: ServerCall): void {
    const key = `${call.run} ${call.id}`;
    const before = this.requests.get(key);
    if (before && isSame(before, call)) return;
    const request = { ...call, key, tool: `${call.server} ${call.names[0] ?? ''}` };
    if (before) this.alikeOf(before).requests.delete(key);
    const evicted = before ? undefined : this.requests.set(key, request);
    if (before) this.requests.update(key, request);
    if (evicted) this.drop(evicted, this.alikeOf(evicted).requests, evicted.key);
    const group = this.touch(request);
    group.requests.set(key, request);
    trim(group.requests);
  }

  /** Forgets the requests of a run that was closed. */
  removeRun(run: string): void {
    for (const request of this.requests.values()) {
      if (request.run !== run) continue;
      this.requests.delete(request.key);
      this.drop(request, this.alikeOf(request).requests, request.key);
    }
  }

  /** The joined calls. */
  get joins(): readonly Join[] {
    return (this.known ??= this.find());
  }

  private find(): readonly Join[] {
    const marked = this.marked();
    const isMarked = new Set(marked.map(({ run, request }) => `${run} ${request}`));
    const inferred: Inferred<KnownRequest>[] = [];
    const alone: ServerCall[] = [];
    for (const group of this.alike.values()) {
      if (!group.isResolved) this.resolve(group);
      for (const one of group.joins) if (!isMarked.has(one.request.key)) inferred.push(one);
      alone.push(...group.alone);
    }
    return [...marked, ...this.ofOneClient(inferred, alone, marked)];
  }

  /** Joins by what both runs have. A mark of several calls, such as their turn's trace, identifies none. */
  private marked(): readonly Join[] {
    return this.requests.values().flatMap((request): readonly Join[] => {
      const found = request.marks.map((mark) => this.byMark.get(mark)).find((ids) => ids?.size === 1);
      const [call] = found ?? [];
      return call === undefined ? [] : [{ call, run: request.run, request: request.id, by: 'mark' }];
    });
  }

  private mark({ id, marks }: Call, isThere: boolean): void {
    for (const mark of marks) {
      const ids = this.byMark.get(mark);
      if (isThere) {
        if (ids) ids.add(id);
        else this.byMark.set(mark, new Set([id]));
      } else if (ids?.delete(id) === true && ids.size === 0) {
        this.byMark.delete(mark);
      }
    }
  }

  /**
   * A server's process has one client: if most requests of its run meanwhile were not the agent's, the others only look alike. A call that two servers
   * could have got went to neither for sure.
   */
  private ofOneClient(
    inferred: readonly Inferred<KnownRequest>[],
    alone: readonly ServerCall[],
    marked: readonly Join[],
  ): readonly Join[] {
    if (inferred.length === 0) return [];
    const counts = new Map<string, number>();
    const count = (run: string, by: number): void => void counts.set(run, (counts.get(run) ?? 0) + by);
    for (const { join } of inferred) count(join.run, 1);
    for (const { run } of marked) count(run, 1);
    const { from, to } = timesOf(this.calls.values());
    for (const { run, startedAt } of alone) if (startedAt >= from && startedAt <= to) count(run, -1);
    const toolOf = new Map<string, string | undefined>();
    for (const { join, request } of inferred) {
      const { tool } = request;
      toolOf.set(join.call, toolOf.has(join.call) && toolOf.get(join.call) !== tool ? undefined : tool);
    }
    return inferred.flatMap(({ join }) =>
      (counts.get(join.run) ?? 0) >= 0 && toolOf.get(join.call) !== undefined ? [join] : [],
    );
  }

  private resolve(group: Alike): void {
    const { calls, requests } = group;
    group.isResolved = true;
    // By tool: only calls of the same one compete.
    const byTool = new Map<string, KnownRequest[]>();
    for (const request of requests.values()) {
      const same = byTool.get(request.tool);
      if (same) same.push(request);
      else byTool.set(request.tool, [request]);
    }
    const joins: Inferred<KnownRequest>[] = [];
    const alone: ServerCall[] = [];
    for (const ofTool of byTool.values()) {
      const [request] = ofTool as [KnownRequest];
      const named = [...calls.values()].filter((call) => this.isNamed(call, request));
      const resolved = resolveCalls(named, ofTool);
      joins.push(...resolved.joins);
      alone.push(...resolved.alone);
    }
    group.joins = joins;
    group.alone = alone;
  }

  /** Whether one of the call's names means the tool of a request. */
  private isNamed({ names }: Call, { server, tool, names: [name = ''] }: KnownRequest): boolean {
    const known = this.matches.ensure(tool, () => new BoundedMap(maxNames));
    return names.some((given) => {
      let match = known.get(given);
      if (match === undefined && !known.has(given)) known.set(given, (match = matchName(given, server, name)));
      return match !== undefined;
    });
  }

  private touch(call: Call): Alike {
    const group = this.alikeOf(call);
    group.isResolved = false;
    this.known = undefined;
    return group;
  }

  private alikeOf({ input = emptyInput }: Call): Alike {
    const known = this.alike.get(input);
    if (known) return known;
    const group: Alike = { calls: new Map(), requests: new Map(), isResolved: true, joins: [], alone: [] };
    this.alike.set(input, group);
    return group;
  }

  private drop(call: Call, from: Map<string, Call>, key: string): void {
    from.delete(key);
    const { input = emptyInput } = call;
    const group = this.touch(call);
    if (group.calls.size + group.requests.size === 0) this.alike.delete(input);
  }
}

/** Some clients leave out empty arguments. */
const emptyInput = inputDigest({}) ?? '';

function isSame(a: Call, b: Call): boolean {
  return (
    a.startedAt === b.startedAt &&
    a.endedAt === b.endedAt &&
    a.input === b.input &&
    a.outcome === b.outcome &&
    a.trace === b.trace &&
    a.names.length === b.names.length &&
    a.names.every((name, index) => name === b.names[index]) &&
    a.marks.length === b.marks.length
  );
}

function trim(calls: Map<string, unknown>): void {
  for (const key of calls.keys()) {
    if (calls.size <= maxAlike) return;
    calls.delete(key);
  }
}
