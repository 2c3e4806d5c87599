import { duration, oneLine } from '../../log/text';
import { inputDigest } from '../../work/inputDigest';
import { commandOf } from '../../work/toolOutput';
import { AgentWriter } from '../agentWriter/agentWriter';
import { describeStart } from '../agentWriter/recordText';
import { outputText, toolStarted, toolTitle } from '../agentWriter/toolText';
import type { ToolEnd, TurnEnding, WriterSink } from '../agentWriter/verbs';
import { BoundedMap } from '../../log/boundedMap';
import { textOf } from '../../log/json';
import {
  answerOf,
  callIdOf,
  modelOf,
  promptOf,
  sessionOf,
  stopReasonOf,
  toolContent,
  toolNameOf,
  usageIn,
} from './genAi';
import type { TraceSpan } from './traceSpan';
import type { TraceNode, TraceStep, TraceTurn } from './traceTree';

const maxSessions = 1000;
const maxText = 8000;
/** How libraries call errors of work that was cancelled. */
const cancelled = /(?:^|\.)(?:AbortError|Cancell?edError|TaskCanceledException|KeyboardInterrupt|cancell?ed)$/;

/** Words the steps of traces in the verbs of agents. */
export class TraceWriter {
  readonly writer: AgentWriter;
  private readonly greeted = new BoundedMap<string, true>(maxSessions);

  constructor(sink: WriterSink) {
    this.writer = new AgentWriter(sink, { hasOneTurn: false, impliesTurns: false, stopReason: 'end_turn' });
  }

  write({ at, node, isEnd }: TraceStep): void {
    const { writer } = this;
    const { span, role, turn } = node;
    const isTurn = turn?.node === node;
    const isShownAtEnd = isEnd && role !== 'tool' && role !== 'chat' && !isTurn;
    if (isShownAtEnd && role === 'other') return;
    // The span is kept with its first record.
    const line = isEnd && (role === 'tool' || isTurn) ? '' : span.raw;
    writer.begin({ t: at, dir: 'a2c', line }, at, turn?.sessionId ?? sessionOf(span));
    if (isTurn && !isEnd) this.turnStarted(turn, at);
    if (turn ?? sessionOf(span)) this.enter(turn, span);
    if (role === 'tool') this.tool(node, isEnd);
    else if (role === 'chat' && isEnd) this.chat(node);
    else if (role === 'permission') this.permission(span, isEnd);
    else if (role === 'compaction' && isEnd) writer.compacted(undefined);
    else if (role === 'subagent') this.subagent(span, isEnd);
    else if (role === 'other' && !isEnd) this.other(span);
    if (isTurn && isEnd) this.turnEnded(turn);
  }

  private enter(turn: TraceTurn | undefined, span: TraceSpan): void {
    const id = turn?.sessionId ?? sessionOf(span);
    if (id !== undefined) this.writer.in({ id, parent: turn?.parent?.sessionId, name: turn && agentName(turn) });
  }

  private turnStarted(turn: TraceTurn, at: number): void {
    const { writer } = this;
    const { span } = turn.node;
    if (writer.work.turnOf(turn.sessionId)) turn.sessionId = `${turn.sessionId} ${span.id}`;
    this.enter(turn, span);
    if (!this.greeted.get(turn.sessionId)) {
      this.greeted.set(turn.sessionId, true);
      const agent = textOf(span.attributes['gen_ai.agent.name']) ?? span.service ?? 'agent';
      writer.note({ level: 'info', kind: 'lifecycle', message: describeStart({ agent }) });
    }
    const isTitled = span.attributes['agent_logs.title'] === true;
    const prompt = isTitled ? span.name : (promptOf(span) ?? firstPrompt(turn));
    if (prompt !== undefined && prompt.trim() !== '') writer.prompt(prompt);
    else {
      writer.turnStarted();
      writer.fact({ type: 'message', speaker: 'user', text: span.name, isPartial: false });
      writer.title(span.name, { isBetter: false });
      writer.note({ level: 'info', logger: 'turn', message: `${oneLine(span.name, 300)} started`, time: at });
    }
    const model = modelOf(span);
    if (model !== undefined) writer.uses(model, true);
  }

  private turnEnded(turn: TraceTurn): void {
    const { writer } = this;
    const { span } = turn.node;
    const outcome = span.attributes['agent_logs.outcome'];
    if (outcome === 'open' || outcome === 'unanswered') return;
    const last = turn.chats.at(-1);
    const error = span.error ?? (turn.node.role === 'chat' ? last?.span.error : undefined);
    const isCancelled = outcome === 'cancelled' || isCancel(span);
    const usage = usageIn(span);
    const how = isCancelled ? 'interrupted' : error === undefined ? 'ok' : 'failed';
    const words = error === '' ? last?.span.error : error;
    const hasAnswer = turn.chats.some((chat) => answerOf(chat.span).text !== undefined);
    const { text } = hasAnswer ? {} : answerOf(span);
    if (text !== undefined) writer.answer(text.slice(0, maxText));
    // Most exporters don't capture answers, so a turn without one isn't empty.
    else writer.says('thought', '');
    writer.turnEnded({
      outcome: how,
      error: how === 'ok' ? undefined : textOf(words),
      stopReason: how === 'ok' && last ? stopReasonOf(last.span) : undefined,
      took: span.endedAt - span.startedAt,
      ...(usage && turn.node.role !== 'chat' && { usage }),
    } satisfies TurnEnding);
  }

  private chat({ span, turn, parent }: TraceNode): void {
    const { writer } = this;
    const took = duration(span.endedAt - span.startedAt);
    const model = modelOf(span);
    const usage = usageIn(span);
    if (model !== undefined) writer.uses(model, true);
    if (usage) writer.usage(span.id, usage);
    const name = oneLine(span.name, 200);
    if (span.error === undefined) {
      writer.note({
        level: 'debug',
        logger: 'model',
        message: `${name} (in ${took})`,
        ...(usage && { data: { usage } }),
      });
    } else {
      const why = span.error === '' ? 'failed' : oneLine(span.error, 500);
      const next = turn?.chats.find((one) => one.parent === parent && one.span.startedAt >= span.endedAt);
      if (next) writer.retry({ why });
      else writer.note({ level: 'warning', logger: 'model', message: `${name} (failed, in ${took}): ${why}` });
    }
    const { text, thought } = answerOf(span);
    if (thought !== undefined) writer.thought(thought.slice(0, maxText));
    if (text !== undefined) writer.answer(text.slice(0, maxText));
  }

  private tool(node: TraceNode, isEnd: boolean): void {
    const { writer } = this;
    const { span } = node;
    const { attributes, error } = span;
    const id = callIdOf(span) ?? span.id;
    const name = toolNameOf(span);
    const { input, output } = toolContent(span);
    if (!isEnd) {
      const title = attributes['agent_logs.title'] === true ? span.name : toolTitle(name, input);
      writer.toolRuns(id, { title, name, command: commandOf(input), isUsers: false, input: inputDigest(input) });
      writer.note(toolStarted(title, input === undefined ? undefined : {}));
      return;
    }
    const outcome = textOf(attributes['agent_logs.outcome']);
    if (outcome === 'open' || outcome === 'unanswered') return;
    const how = howEnded(span, outcome);
    const exit = /^exit (-?\d{1,10})$/.exec(error ?? '')?.[1];
    const end: ToolEnd = {
      outcome: how,
      ms: span.endedAt - span.startedAt,
      output: outputText(output).slice(0, maxText),
      ...(exit !== undefined
        ? { exitCode: Number(exit) }
        : error !== undefined && error !== '' && { error, shown: error }),
    };
    writer.toolEnded(id, end);
  }

  private permission(span: TraceSpan, isEnd: boolean): void {
    const { writer } = this;
    if (!isEnd) return writer.asked(span.id, span.name);
    const outcome = textOf(span.attributes['agent_logs.outcome']);
    if (outcome === 'ok') writer.settled(span.id, 'allowed', 'allowed');
    else if (outcome === 'refused') writer.settled(span.id, 'refused', 'refused');
  }

  private subagent(span: TraceSpan, isEnd: boolean): void {
    const { writer } = this;
    const how = span.error === undefined ? 'completed' : 'failed';
    const outcome = isEnd ? (isCancel(span) ? 'cancelled' : how) : undefined;
    writer.fact({ type: 'subagent', change: isEnd ? 'ended' : 'started', id: span.id, title: span.name, outcome });
    if (!isEnd) writer.note({ level: 'info', logger: 'subagent', message: `${oneLine(span.name, 300)} started` });
  }

  /** A request to a server, a query of a database, or anything else. */
  private other(span: TraceSpan): void {
    const took = `in ${duration(span.endedAt - span.startedAt)}`;
    const isFailed = span.error !== undefined;
    const why = isFailed && span.error !== '' ? `: ${oneLine(span.error, 500)}` : '';
    this.writer.note({
      level: isFailed ? 'notice' : 'debug',
      logger: 'span',
      message: `${oneLine(span.name, 300)} (${isFailed ? 'failed, ' : ''}${took})${why}`,
      ...(Object.keys(span.attributes).length > 0 && { data: span.attributes }),
    });
  }
}

function howEnded(span: TraceSpan, outcome: string | undefined): ToolEnd['outcome'] {
  if (outcome === 'refused' || outcome === 'cancelled') return outcome;
  if (isCancel(span)) return 'cancelled';
  return span.error === undefined ? 'ok' : 'failed';
}

function isCancel({ attributes }: TraceSpan): boolean {
  return attributes['agent_logs.outcome'] === 'cancelled' || cancelled.test(textOf(attributes['error.type']) ?? '');
}

function agentName({ node: { span } }: TraceTurn): string {
  return textOf(span.attributes['gen_ai.agent.name']) ?? span.name;
}

function firstPrompt(turn: TraceTurn): string | undefined {
  const [first] = turn.chats;
  return first && promptOf(first.span);
}
