import type { Call } from '../../timeline/joins/call';
import { timesOf } from '../../timeline/joins/call';
import { CallJoiner } from '../../timeline/joins/callJoiner';
import type { RunLog } from '../runLog';
import type { FarEnd, JoinedRun } from './joinedRun';
import { isAgent, isServer } from './joinedRun';

/** How much earlier and later the other end of a call may be, in milliseconds: clocks differ, and agents report late. */
export const around = 6000;

type FarEnds = ReadonlyMap<string, readonly FarEnd[]>;

interface Joined {
  readonly joiner: CallJoiner;
  /** The runs whose requests are in it. */
  readonly runs: Set<string>;
  /** By the call of a server's run: its ID, once the call is in. */
  added: WeakMap<Call, string>;
}

/** Joins the tool calls of agents' runs with the requests to MCP servers in other runs. */
export class JoinedCalls {
  private readonly byAgent = new WeakMap<RunLog, Joined>();

  /** @param runs all runs whose records are in memory, newest first */
  constructor(private readonly runs: () => readonly JoinedRun[]) {}

  /** By the ID of the span: for an agent the requests that its call caused, oldest first; for a server the call that caused the request. */
  endsOf(run: JoinedRun): FarEnds {
    return isServer(run) ? this.callersOf(run) : this.requestsOf(run);
  }

  private requestsOf(run: JoinedRun): FarEnds {
    if (!isAgent(run)) return new Map();
    const servers = new Map(this.runs().flatMap((one) => (isServer(one) ? [[one.id, one] as const] : [])));
    const ends = new Map<string, FarEnd[]>();
    for (const { call, run: id, request, by } of this.joinerOf(run, servers).joins) {
      const server = servers.get(id);
      const span = server?.log.span(request);
      if (!server || !span) continue;
      const known = ends.get(call);
      if (known) known.push({ run: server, span, by });
      else ends.set(call, [{ run: server, span, by }]);
    }
    for (const all of ends.values()) all.sort((a, b) => a.span.startedAt - b.span.startedAt);
    return ends;
  }

  private callersOf(run: JoinedRun): FarEnds {
    const ends = new Map<string, readonly FarEnd[]>();
    for (const agent of this.runs()) {
      for (const [call, requests] of this.requestsOf(agent)) {
        const span = agent.log.span(call);
        if (!span) continue;
        for (const request of requests) {
          if (request.run.id === run.id && !ends.has(request.span.id)) {
            ends.set(request.span.id, [{ run: agent, span, by: request.by }]);
          }
        }
      }
    }
    return ends;
  }

  private joinerOf(run: JoinedRun, servers: ReadonlyMap<string, JoinedRun>): CallJoiner {
    const joined = this.byAgent.get(run.log) ?? { joiner: new CallJoiner(), runs: new Set(), added: new WeakMap() };
    this.byAgent.set(run.log, joined);
    const { joiner, runs } = joined;
    const calls = servers.size === 0 ? [] : run.log.calls;
    for (const call of calls) joiner.addCall(call);
    for (const id of runs) {
      if (servers.has(id)) continue;
      joiner.removeRun(id);
      joined.added = new WeakMap();
      runs.delete(id);
    }
    const { from, to } = timesOf(calls, around);
    for (const { id, name, log } of servers.values()) {
      runs.add(id);
      for (const call of log.calls) {
        // What happened at other times is no other client's either.
        if (call.startedAt > to || (call.endedAt ?? Infinity) < from) continue;
        if (joined.added.get(call) !== id) joiner.addRequest({ ...call, run: id, server: name });
        joined.added.set(call, id);
      }
    }
    return joiner;
  }
}
