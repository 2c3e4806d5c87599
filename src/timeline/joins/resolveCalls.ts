import type { Call, Join, ServerCall } from './call';

/** How far the clocks of two runs may differ, in milliseconds. */
const slack = 1000;
/** How late an agent may report a call, in milliseconds: `opencode run` does when the call is over, and a busy machine reads later. */
const late = 5000;
/** The same within a millisecond or so: the two processes run on one machine. */
export const jitter = 20;
/** More calls of the same tool with equal arguments at once aren't told apart. */
const maxAtOnce = 200;

/** A join by names, arguments and times. */
export interface Inferred<R extends ServerCall = ServerCall> {
  readonly join: Join;
  readonly request: R;
}

/**
 * Joins the calls of one tool with equal arguments by their times.
 * @returns also the requests that none of the calls can have caused
 */
export function resolveCalls<R extends ServerCall>(
  calls: readonly Call[],
  requests: readonly R[],
): { readonly joins: readonly Inferred<R>[]; readonly alone: readonly R[] } {
  const joins: Inferred<R>[] = [];
  const alone: R[] = [];
  for (const cluster of clustersOf(calls, requests)) {
    if (cluster.calls.length === 0) alone.push(...cluster.requests);
    else if (cluster.requests.length > 0) joins.push(...joinsIn(cluster));
  }
  return { joins, alone };
}

interface Cluster<R> {
  readonly calls: Call[];
  readonly requests: R[];
}

/** Calls and requests whose times touch, directly or through others. */
function clustersOf<R extends ServerCall>(calls: readonly Call[], requests: readonly R[]): readonly Cluster<R>[] {
  const items = [
    ...calls.map((call) => ({ from: call.startedAt - late, to: endOf(call) + slack, call })),
    ...requests.map((request) => ({ from: request.startedAt, to: request.startedAt, request })),
  ].sort((a, b) => a.from - b.from);
  const clusters: Cluster<R>[] = [];
  let end = -Infinity;
  let cluster: Cluster<R> | undefined;
  for (const item of items) {
    if (!cluster || item.from > end) clusters.push((cluster = { calls: [], requests: [] }));
    if ('call' in item) cluster.calls.push(item.call);
    else cluster.requests.push(item.request);
    end = Math.max(end, item.to);
  }
  return clusters;
}

function joinsIn<R extends ServerCall>({ calls, requests }: Cluster<R>): readonly Inferred<R>[] {
  const [call, request] = [calls[0], requests[0]];
  // Nearly always, for which the rest takes far longer.
  if (call && request && calls.length === 1 && requests.length === 1) {
    return mayBeOneTrace(call, request) && (isIn(request, call) || isNear(request, call))
      ? [joinOf(call, request)]
      : [];
  }
  if (calls.length > maxAtOnce || requests.length > maxAtOnce) return inOrder(calls, requests) ?? [];
  const inside = requests.map((request) => calls.filter((call) => mayBeOneTrace(call, request) && isIn(request, call)));
  // Otherwise the clocks differ, and being inside proves nothing.
  if (inside.every(({ length }) => length > 0)) return byElimination(calls, requests, inside);
  return inOrder(calls, requests) ?? ofOneCall(calls, requests) ?? [];
}

/** Assigns the requests that only one call can have caused, until all that are left could be from several. */
function byElimination<R extends ServerCall>(
  calls: readonly Call[],
  requests: readonly R[],
  inside: readonly (readonly Call[])[],
): readonly Inferred<R>[] {
  const byCall = new Map<Call, R[]>();
  const left = new Set(requests.keys());
  // Unless one may be a retry, each call made one request.
  const excludes = calls.length === requests.length && requests.every(({ outcome = 'ok' }) => outcome === 'ok');
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (const index of left) {
      const possible = (inside[index] ?? []).filter((call) => !excludes || !byCall.has(call));
      const [call] = possible;
      const request = requests[index];
      if (possible.length !== 1 || !call || !request) continue;
      left.delete(index);
      byCall.set(call, [...(byCall.get(call) ?? []), request]);
      isMoving = true;
    }
  }
  return [...byCall].flatMap(([call, own]) => (areRetries(own) ? own.map((request) => joinOf(call, request)) : []));
}

/** One request for each call, in the same order, if no two calls overlap. */
function inOrder<R extends ServerCall>(
  calls: readonly Call[],
  requests: readonly R[],
): readonly Inferred<R>[] | undefined {
  if (calls.length !== requests.length) return undefined;
  const sorted = [...calls].sort(byStart);
  const asked = [...requests].sort(byStart);
  const fits = sorted.every((call, index) => {
    const request = asked[index];
    const next = sorted[index + 1];
    const isAlone = next === undefined || endOf(call) <= next.startedAt + jitter;
    return request !== undefined && isAlone && isNear(request, call) && mayBeOneTrace(call, request);
  });
  return fits ? sorted.flatMap((call, index) => (asked[index] ? [joinOf(call, asked[index])] : [])) : undefined;
}

/** Several requests for one call: it was tried again. */
function ofOneCall<R extends ServerCall>(
  calls: readonly Call[],
  requests: readonly R[],
): readonly Inferred<R>[] | undefined {
  const [call, other] = calls;
  if (!call || other || !areRetries(requests)) return undefined;
  const areNear = requests.every((request) => isNear(request, call) && mayBeOneTrace(call, request));
  return areNear ? requests.map((request) => joinOf(call, request)) : undefined;
}

/** Whether each was made because the one before had failed, or was given up. */
function areRetries(requests: readonly ServerCall[]): boolean {
  const sorted = [...requests].sort(byStart);
  return sorted.slice(0, -1).every(({ outcome }) => outcome !== undefined && outcome !== 'ok');
}

/** Both are in a trace, and not in the same. */
function mayBeOneTrace(a: Call, b: Call): boolean {
  return a.trace === undefined || b.trace === undefined || a.trace === b.trace;
}

function isIn(request: Call, call: Call): boolean {
  // What was given up goes on in the server.
  const isGivenUp = call.outcome !== 'ok';
  const isOver = isGivenUp || endOf(request) <= endOf(call) + jitter || call.endedAt === undefined;
  return request.startedAt >= call.startedAt - jitter && request.startedAt <= endOf(call) + jitter && isOver;
}

function isNear({ startedAt }: Call, call: Call): boolean {
  return startedAt >= call.startedAt - late && startedAt <= endOf(call) + slack;
}

function endOf({ endedAt = Infinity }: Call): number {
  return endedAt;
}

function byStart(a: Call, b: Call): number {
  return a.startedAt - b.startedAt;
}

function joinOf<R extends ServerCall>(call: Call, request: R): Inferred<R> {
  const { run, id, trace } = request;
  const isTraced = trace !== undefined && trace === call.trace;
  return { request, join: { call: call.id, run, request: id, by: isTraced ? 'trace' : 'inferred' } };
}
