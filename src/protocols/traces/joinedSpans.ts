import { ownHead } from '../../text/ownText';
import { maxRaw } from './traceSpan';
import type { TraceSpan } from './traceSpan';
import type { GenAi, ToolContent, ToolResult } from './genAi';
import type { EventContent } from './genAiContent';
import { withContent } from './genAiContent';
import type { TraceEvent } from './genAiEvent';

/**
 * Adds to spans what log records say of them. What has no span of its own gets one: requests and tools that were only logged, and tools that
 * the model only asked for and got the results of.
 */
export function joinedSpans(spans: readonly TraceSpan[], events: readonly TraceEvent[]): readonly TraceSpan[] {
  const joined = events.length === 0 ? spans : withEvents(spans, events);
  return continued(withImpliedTools(joined));
}

function withEvents(spans: readonly TraceSpan[], events: readonly TraceEvent[]): readonly TraceSpan[] {
  const groups = grouped(events);
  const byId = new Map(spans.map((span, n) => [span.id === '' ? `? ${n}` : keyOf(span.traceId, span.id), span]));
  const tools = new ToolNames(spans);
  const more: TraceSpan[] = [];
  for (const [key, group] of groups) {
    const span = byId.get(key);
    const own = group.filter(({ kind }) => kind === 'message' || kind === 'error');
    const calls = group.filter(({ kind }) => kind === 'call');
    const ownTools = group.filter(
      ({ kind, about }) => kind === 'tool' && !tools.has(group[0]?.traceId ?? '', about.tool),
    );
    const hasParts = ownTools.length > 0 || calls.length > 1;
    const isChat = span ? span.about.role === 'chat' : !hasParts;
    // A request's own record has the ID of its span; records of several requests have that of the agent's.
    const [first] = calls;
    const merged = isChat && first ? [first, ...own] : own;
    const parts = [...(isChat ? [] : calls), ...ownTools].sort((a, b) => a.at - b.at);
    if (span) {
      if (merged.length > 0) byId.set(key, mergedSpan(span, merged));
    } else if (isChat) more.push(chatOf(group, merged));
    else more.push(agentOf(group, own));
    more.push(...partsOf(parts));
  }
  return [...byId.values(), ...more];
}

/** By the span that they were written in, in order. Records outside of traces belong together until an answer. */
function grouped(events: readonly TraceEvent[]): ReadonlyMap<string, readonly TraceEvent[]> {
  const groups = new Map<string, TraceEvent[]>();
  const known = new Set<string>();
  let answers = 0;
  for (const event of [...events].sort((a, b) => a.at - b.at)) {
    const isOutside = event.traceId === '';
    // An exporter that tries again writes the same twice.
    if (known.has(event.raw)) continue;
    known.add(event.raw);
    const place = isOutside ? { traceId: `log-${answers}-${event.at}`, spanId: '' } : event;
    const key = isOutside ? `log ${answers}` : keyOf(event.traceId, event.spanId);
    if (isOutside && event.isLast) answers++;
    const group = groups.get(key);
    if (group) group.push({ ...event, traceId: group[0]?.traceId ?? '' });
    else groups.set(key, [{ ...event, ...place }]);
  }
  return groups;
}

function mergedSpan(span: TraceSpan, events: readonly TraceEvent[]): TraceSpan {
  const content = events.map(contentOf);
  const about = withContent(span.about, content);
  const call = events.find(({ kind }) => kind === 'call')?.about;
  const written = events.map(({ raw }) => raw).join(',');
  const isWhole = span.raw.endsWith('}') && written.length <= maxRaw;
  return {
    ...span,
    about: { ...about, model: about.model ?? call?.model, usage: about.usage ?? call?.usage },
    error: span.error === undefined || span.error === '' ? (errorOf(events) ?? span.error) : span.error,
    // The record of the span has all that it was made of.
    raw: isWhole ? `${span.raw.slice(0, -1)},"logRecords":[${written}]}` : span.raw,
  };
}

function errorOf(events: readonly TraceEvent[]): string | undefined {
  return events.findLast(({ error }) => error !== undefined)?.error;
}

function contentOf({ about, content }: TraceEvent): EventContent {
  const { prompt, answer, thought, stopReason, calls, results } = about;
  const own = { prompt, answer, thought, stopReason, ...(calls && { calls }), ...(results && { results }) };
  const said = Object.entries(content).filter(([, value]) => value !== undefined);
  return { ...own, ...(Object.fromEntries(said) as EventContent) };
}

/** A request that was only logged. Its first record is its prompt, the last its answer. */
function chatOf(group: readonly TraceEvent[], merged: readonly TraceEvent[]): TraceSpan {
  const [first] = merged;
  const { about } = merged.find(({ kind }) => kind === 'call') ?? first ?? unknown;
  const model = merged.map((event) => event.about.model).find((one) => one !== undefined);
  const said = withContent({ ...about, model, session: sessionOf(group) }, merged.map(contentOf));
  return spanOf(group, model === undefined ? 'chat' : `chat ${model}`, { ...said, role: 'chat' }, errorOf(merged));
}

/** The agent whose requests and tools were only logged. */
function agentOf(group: readonly TraceEvent[], own: readonly TraceEvent[]): TraceSpan {
  const agent = group.map(({ about }) => about.agent).find((one) => one !== undefined);
  const service = group.find((event) => event.service !== undefined)?.service;
  const model = group.map(({ about }) => about.model).find((one) => one !== undefined);
  const name = agent ?? service ?? 'agent';
  const about = withContent(
    { role: 'agent', agent, model, session: sessionOf(group), isCancelled: false, isTitled: false },
    own.map(contentOf),
  );
  return {
    ...spanOf(group, name, about, errorOf(own)),
    raw: `{"logRecords":[${ownHead(own.map(({ raw }) => raw).join(','), maxRaw)}]}`,
  };
}

/** The requests and tools that an agent's records are about. */
function partsOf(events: readonly TraceEvent[]): TraceSpan[] {
  return events.map((event, n) => {
    const { about, at, spanId, kind } = event;
    const name = kind === 'tool' ? `execute_tool ${about.tool?.name ?? ''}` : `chat ${about.model ?? ''}`.trim();
    const span = spanOf([event], name, about, event.error);
    return { ...span, id: `${spanId}-${n}`, parentId: spanId, startedAt: at - event.took, raw: event.raw };
  });
}

function spanOf(group: readonly TraceEvent[], name: string, about: GenAi, error: string | undefined): TraceSpan {
  const { traceId, spanId, raw, service } = group[0] ?? unknown;
  const starts = group.map(({ at, took }) => at - took);
  const isOne = group.length === 1;
  return {
    traceId,
    id: spanId,
    parentId: undefined,
    name,
    startedAt: starts.reduce((a, b) => Math.min(a, b), Infinity),
    endedAt: group.map(({ at }) => at).reduce((a, b) => Math.max(a, b), 0),
    about,
    data: undefined,
    error,
    status: undefined,
    service,
    raw: isOne
      ? raw
      : `{"logRecords":[${group
          .map((one) => one.raw)
          .join(',')
          .slice(0, 4 * maxRaw)}]}`,
  };
}

function sessionOf(group: readonly TraceEvent[]): string | undefined {
  return group.map(({ about }) => about.session).find((one) => one !== undefined);
}

const unknown: TraceEvent = {
  traceId: '',
  spanId: '',
  at: 0,
  kind: 'message',
  isLast: false,
  about: { role: 'chat', isCancelled: false, isTitled: false },
  content: {},
  error: undefined,
  took: 0,
  service: undefined,
  raw: '',
};

/** Adds the tools that models asked for and got results of, if nothing traced them, and the arguments of those that were traced without. */
function withImpliedTools(spans: readonly TraceSpan[]): readonly TraceSpan[] {
  const asked = new Map<string, { readonly call: ToolContent; readonly chat: TraceSpan }>();
  const given = new Map<string, ToolContent>();
  const tools = new ToolNames(spans);
  const chats = spans.filter(({ about }) => about.role === 'chat' && (about.calls ?? about.results));
  if (chats.length === 0) return spans;
  const implied: TraceSpan[] = [];
  for (const chat of chats.sort((a, b) => a.startedAt - b.startedAt)) {
    for (const { id, output } of chat.about.results ?? []) {
      const from = asked.get(id);
      asked.delete(id);
      if (from) implied.push(toolOf(from.call, from.chat, chat, output));
    }
    for (const call of chat.about.calls ?? []) {
      if (call.id === undefined) continue;
      if (!tools.has(chat.traceId, call)) asked.set(call.id, { call, chat });
      else if (call.input !== undefined) given.set(`${chat.traceId} ${call.id}`, call);
    }
  }
  return [...(given.size === 0 ? spans : spans.map((span) => withInput(span, given))), ...implied];
}

function withInput(span: TraceSpan, given: ReadonlyMap<string, ToolContent>): TraceSpan {
  const { tool } = span.about;
  const call = tool?.input === undefined ? given.get(`${span.traceId} ${tool?.id ?? ''}`) : undefined;
  if (!tool || !call) return span;
  const { title, command, input, args } = call;
  return { ...span, about: { ...span.about, tool: { ...tool, title, command, input, args } } };
}

function toolOf(call: ToolContent, from: TraceSpan, to: TraceSpan, output: string): TraceSpan {
  return {
    ...from,
    id: `${from.id}-${call.id ?? ''}`,
    parentId: from.parentId ?? from.id,
    name: `execute_tool ${call.name}`,
    startedAt: from.endedAt,
    endedAt: Math.max(from.endedAt, to.startedAt),
    about: { role: 'tool', tool: { ...call, output }, isCancelled: false, isTitled: false },
    error: undefined,
    raw: '',
  };
}

/**
 * Requests that are traces of their own, because nothing traced the agent: one that has the result of a tool call goes on with the turn of the
 * request that asked for it.
 */
function continued(spans: readonly TraceSpan[]): readonly TraceSpan[] {
  const roots = spans.filter(({ about, parentId }) => about.role === 'chat' && parentId === undefined);
  if (!roots.some(({ about }) => about.results)) return spans;
  const turns = new Map<string, TraceSpan>();
  const moved = new Map<TraceSpan, TraceSpan>();
  for (const chat of [...roots].sort((a, b) => a.startedAt - b.startedAt)) {
    const results: readonly ToolResult[] = chat.about.results ?? [];
    const first = results.map(({ id }) => turns.get(id)).findLast((one) => one !== undefined);
    const turn = first && first.about.session === chat.about.session ? first : chat;
    if (turn !== chat) moved.set(chat, { ...chat, traceId: turn.traceId, parentId: turn.id });
    for (const { id } of chat.about.calls ?? []) if (id !== undefined) turns.set(id, turn);
  }
  if (moved.size === 0) return spans;
  // What is below a request that moved stays with it.
  const traces = new Map([...moved].map(([{ traceId }, to]) => [traceId, to.traceId]));
  return spans.map((span) => moved.get(span) ?? { ...span, traceId: traces.get(span.traceId) ?? span.traceId });
}

/** The tool calls that have spans, by trace. */
class ToolNames {
  private readonly known = new Set<string>();

  constructor(spans: readonly TraceSpan[]) {
    for (const { traceId, about } of spans) {
      if (about.role !== 'tool') continue;
      const { id, name = '' } = about.tool ?? {};
      this.known.add(id === undefined ? `${traceId} name ${name}` : `${traceId} id ${id}`);
    }
  }

  /** Whether it has a span: one of the same ID, or one of the same name without an ID. */
  has(traceId: string, { id, name = '' }: Partial<ToolContent> = {}): boolean {
    return this.known.has(`${traceId} id ${id ?? ''}`) || this.known.has(`${traceId} name ${name}`);
  }
}

function keyOf(traceId: string, id: string): string {
  return `${traceId} ${id}`;
}
