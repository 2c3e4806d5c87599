import type { TraceSpan } from './traceSpan';

/** A span with its place in the trace. */
export interface TraceNode {
  readonly span: TraceSpan;
  parent: TraceNode | undefined;
  readonly children: TraceNode[];
  /** The turn that it is part of, or that it is. */
  turn: TraceTurn | undefined;
  /** It has a turn below it, so that it isn't one. */
  holdsTurns: boolean;
  /** It has a model request below it. */
  holdsChats: boolean;
  /** A session that a span below it names. */
  sessionBelow: string | undefined;
}

export interface TraceTurn {
  readonly node: TraceNode;
  readonly parent: TraceTurn | undefined;
  sessionId: string;
  /** Parts may outlast the span. */
  endsAt: number;
  readonly chats: TraceNode[];
  /** The last request of each part of the turn, and of the turn itself. */
  readonly lastChats: Map<TraceNode | undefined, TraceNode>;
}

/** The start or the end of a span. */
export interface TraceStep {
  readonly at: number;
  readonly node: TraceNode;
  readonly isEnd: boolean;
}

/**
 * Puts the spans of several traces in order. Spans that the conventions call agents are turns, nested ones those of subagents; without one, the
 * outermost span around a model request is the turn.
 */
export function stepsOf(spans: readonly TraceSpan[]): readonly TraceStep[] {
  const nodes = nodesOf(spans);
  for (const node of nodes) mark(node);
  const steps: TraceStep[] = [];
  // Not recursive: traces can be deep.
  const open: { readonly node: TraceNode; readonly isEnd: boolean }[] = [];
  const visited = new Set<TraceNode>();
  const roots = nodes.filter(({ parent }) => !parent);
  for (const root of [...roots, ...nodes]) {
    if (visited.has(root)) continue;
    open.push({ node: root, isEnd: false });
    for (let next = open.pop(); next; next = open.pop()) {
      const { node, isEnd } = next;
      if (isEnd) {
        steps.push({ node, isEnd, at: node.turn?.node === node ? node.turn.endsAt : node.span.endedAt });
        continue;
      }
      if (visited.has(node)) continue; // A damaged file has circles.
      visited.add(node);
      enter(node);
      steps.push({ node, isEnd, at: startOf(node) });
      open.push({ node, isEnd: true });
      for (const child of [...node.children].reverse()) open.push({ node: child, isEnd: false });
    }
  }
  // Stable: at the same time, parents start first and end last.
  return steps.sort((a, b) => a.at - b.at);
}

function nodesOf(spans: readonly TraceSpan[]): readonly TraceNode[] {
  const byId = new Map<string, TraceNode>();
  for (const span of spans) {
    const node = {
      span,
      parent: undefined,
      children: [],
      turn: undefined,
      holdsTurns: false,
      holdsChats: false,
      sessionBelow: span.about.session,
    };
    byId.set(span.id === '' ? `? ${byId.size}` : `${span.traceId} ${span.id}`, node);
  }
  const nodes = [...byId.values()].sort(
    (a, b) => a.span.startedAt - b.span.startedAt || b.span.endedAt - a.span.endedAt,
  );
  for (const node of nodes) {
    const { parentId, traceId } = node.span;
    const parent = parentId === undefined ? undefined : byId.get(`${traceId} ${parentId}`);
    if (parent && parent !== node) node.parent = parent;
  }
  nestEvents(nodes);
  for (const node of nodes) node.parent?.children.push(node);
  return nodes;
}

/** Events of a Chrome trace are nested by their times alone. */
function nestEvents(nodes: readonly TraceNode[]): void {
  const open = new Map<string, TraceNode[]>();
  for (const node of nodes) {
    const { traceId, id, startedAt, endedAt } = node.span;
    if (!id.startsWith('event-')) continue;
    const stack = open.get(traceId) ?? [];
    open.set(traceId, stack);
    while (stack.length > 0 && (stack.at(-1)?.span.endedAt ?? 0) <= startedAt && startedAt < endedAt) stack.pop();
    node.parent = stack.findLast(({ span }) => span.endedAt >= endedAt);
    // Overlapping events of parallel threads aren't parts of each other.
    if (endedAt > startedAt) stack.push(node);
    if (stack.length > 100) stack.splice(1, 1);
  }
}

/** Says to all spans around one what they hold. */
function mark(node: TraceNode): void {
  const { role } = node.span.about;
  const isTurn = role === 'agent';
  const isChat = role === 'chat';
  if (isChat) node.holdsChats = true;
  const { sessionBelow } = node;
  for (let above = node.parent, depth = 0; above && depth < 10_000; above = above.parent, depth++) {
    const isNews =
      (isTurn && !above.holdsTurns) ||
      (isChat && !above.holdsChats) ||
      (sessionBelow !== undefined && above.sessionBelow === undefined);
    if (!isNews) return;
    above.holdsTurns ||= isTurn;
    above.holdsChats ||= isChat;
    above.sessionBelow ??= sessionBelow;
  }
}

function enter(node: TraceNode): void {
  const { span, parent } = node;
  const { role } = span.about;
  const outer = parent?.turn;
  const isAgent = role === 'agent';
  const isImplied = !outer && !node.holdsTurns && node.holdsChats;
  node.turn = outer;
  if (isAgent || isImplied) {
    const own = node.sessionBelow ?? sessionAbove(node);
    const isSubagent = outer && (own === undefined || own === outer.sessionId);
    const sessionId = isSubagent ? `${span.traceId}-${span.id}` : (own ?? span.traceId);
    node.turn = {
      node,
      parent: isSubagent ? outer : undefined,
      sessionId,
      endsAt: span.endedAt,
      chats: [],
      lastChats: new Map(),
    };
  }
  if (role === 'chat') {
    node.turn?.chats.push(node);
    node.turn?.lastChats.set(parent, node);
  }
  if (role === 'other') return;
  for (let turn = node.turn; turn; turn = turn.parent) turn.endsAt = Math.max(turn.endsAt, span.endedAt);
}

function sessionAbove({ parent }: TraceNode): string | undefined {
  for (let above = parent, depth = 0; above && depth < 100; above = above.parent, depth++) {
    const { session } = above.span.about;
    if (session !== undefined) return session;
  }
  return undefined;
}

/** Clocks of several machines differ: a part doesn't start before its turn. */
function startOf({ span, turn }: TraceNode): number {
  return Math.max(span.startedAt, turn?.node.span.startedAt ?? 0);
}
