import { BoundedMap } from '../../text/boundedMap';
import { textsOf } from '../../text/json';
import { traceMark } from '../../work/tools/callMarks';
import { duration, oneLine } from '../../text/text';
import { AgentWriter } from '../agentWriter/agentWriter';
import { describeStart } from '../agentWriter/recordText';
import { toolStarted } from '../agentWriter/toolText';
import type { ToolEnd, TurnEnding, WriterContext } from '../agentWriter/verbs';
import type { TraceSpan } from './traceSpan';
import type { TraceNode, TraceStep, TraceTurn } from './traceTree';

const maxSessions = 1000;

/** Words the steps of traces in the verbs of agents. */
export class TraceWriter {
  readonly writer: AgentWriter;
  private readonly greeted = new BoundedMap<string, true>(maxSessions);

  constructor(context: WriterContext) {
    this.writer = new AgentWriter(context, { hasOneTurn: false, impliesTurns: false, stopReason: 'end_turn' });
  }

  write({ at, node, isEnd }: TraceStep): void {
    const { writer } = this;
    const { span, turn } = node;
    const { role, session } = span.about;
    const isTurn = turn?.node === node;
    // The span is kept with its first record.
    const isKept =
      !isEnd ||
      role === 'chat' ||
      role === 'compaction' ||
      role === 'permission' ||
      role === 'subagent' ||
      role === 'hook';
    const line = isKept && !(isTurn && isEnd && role !== 'chat') ? span.raw : '';
    writer.beginIn({ t: at, dir: 'a2c', line }, at, turn?.sessionId ?? session);
    if (isTurn && !isEnd) this.turnStarted(turn, at);
    if (turn ?? session) this.enter(turn, span);
    if (role === 'tool') this.tool(span, isEnd);
    else if (role === 'chat' && isEnd) this.chat(node);
    else if (role === 'permission') this.permission(span, isEnd);
    else if (role === 'compaction' && isEnd) writer.compacted(undefined);
    else if (role === 'subagent') this.subagent(span, isEnd);
    else if (role === 'hook') this.hook(node, isEnd);
    else if (role === 'other') this.other(node, isEnd);
    if (isTurn && isEnd) this.turnEnded(turn);
  }

  private enter(turn: TraceTurn | undefined, { about }: TraceSpan): void {
    const id = turn?.sessionId ?? about.session;
    if (id !== undefined) this.writer.in({ id, parent: turn?.parent?.sessionId, name: turn && agentName(turn) });
  }

  private turnStarted(turn: TraceTurn, at: number): void {
    const { writer } = this;
    const { span } = turn.node;
    const { agent = span.service ?? 'agent', isTitled, model } = span.about;
    if (writer.work.turnOf(turn.sessionId)) turn.sessionId = `${turn.sessionId} ${span.id}`;
    this.enter(turn, span);
    if (!this.greeted.get(turn.sessionId)) {
      this.greeted.set(turn.sessionId, true);
      writer.note({ level: 'info', kind: 'lifecycle', message: describeStart({ agent }) });
    }
    const prompt = isTitled ? span.name : (span.about.prompt ?? turn.chats[0]?.span.about.prompt);
    if (prompt !== undefined) writer.prompt(prompt);
    else {
      writer.turnStarted();
      writer.fact({ type: 'message', speaker: 'user', text: span.name, isPartial: false });
      writer.title(span.name, { isBetter: false });
      writer.note({ level: 'info', logger: 'turn', message: `${oneLine(span.name, 300)} started`, time: at });
    }
    if (model !== undefined) writer.uses(model, true);
  }

  private turnEnded(turn: TraceTurn): void {
    const { writer } = this;
    const { span } = turn.node;
    const { outcome, isCancelled, usage, role } = span.about;
    if (outcome === 'open' || outcome === 'unanswered') return;
    const last = turn.chats.at(-1)?.span;
    const error = span.error ?? (role === 'chat' ? last?.error : undefined);
    const how = isCancelled ? 'cancelled' : error === undefined ? 'ok' : 'error';
    const words = error === '' ? last?.error : error;
    const hasAnswer = turn.chats.some((chat) => chat.span.about.answer !== undefined);
    const answer = hasAnswer ? undefined : span.about.answer;
    if (answer !== undefined) writer.answer(answer);
    // Most exporters don't capture answers, so a turn without one isn't empty.
    else writer.says('thought', '');
    writer.turnEnded({
      outcome: how,
      error: words === '' ? undefined : words,
      stopReason: how === 'ok' ? last?.about.stopReason : undefined,
      took: turn.endsAt - span.startedAt,
      isAnswerUnknown: !hasAnswer && answer === undefined,
      ...(usage && role !== 'chat' && { usage }),
    } satisfies TurnEnding);
  }

  private chat({ span, turn, parent }: TraceNode): void {
    const { writer } = this;
    // How long a request took that was only logged is unknown.
    const took = span.endedAt > span.startedAt ? [`in ${duration(span.endedAt - span.startedAt)}`] : [];
    const { model, usage, answer, thought } = span.about;
    if (model !== undefined) writer.uses(model, true);
    if (usage) writer.usage(span.id, usage);
    const name = oneLine(span.name, 200);
    if (span.error === undefined) {
      writer.note({
        level: 'debug',
        logger: 'model',
        message: took.length === 0 ? name : `${name} (${took.join()})`,
        ...(usage && { data: { usage } }),
      });
    } else {
      const { status } = span;
      const why = span.error === '' ? 'failed' : oneLine(span.error, 500);
      const last = turn?.lastChats.get(parent)?.span;
      const isRetried = last !== undefined && last !== span && last.startedAt >= span.endedAt;
      if (isRetried) writer.retry({ why, status });
      else {
        writer.note({
          level: 'warning',
          logger: 'model',
          message: `${name} (${['failed', ...took].join(', ')}): ${why}`,
        });
      }
    }
    if (thought !== undefined) writer.thought(thought);
    if (answer !== undefined) writer.answer(answer);
  }

  private tool(span: TraceSpan, isEnd: boolean): void {
    const { writer } = this;
    const { tool, outcome, isCancelled } = span.about;
    if (!tool) return;
    const { id = span.id, title, name, command, input, args, output } = tool;
    if (!isEnd) {
      writer.toolRuns(id, {
        title,
        name,
        command,
        isUsers: false,
        input,
        args,
        marks: textsOf(traceMark(`00-${span.traceId}-${span.id}-01`)),
      });
      writer.note(toolStarted(title, input === undefined ? undefined : {}));
      return;
    }
    if (outcome === 'open' || outcome === 'unanswered') return;
    const { error } = span;
    const isFailed = error !== undefined;
    const how = outcome === 'refused' ? 'refused' : isCancelled ? 'cancelled' : isFailed ? 'error' : 'ok';
    const exit = /^exit (-?\d{1,10})$/.exec(error ?? '')?.[1];
    const end: ToolEnd = {
      outcome: how,
      ms: span.endedAt - span.startedAt,
      output,
      ...(exit !== undefined ? { exitCode: Number(exit) } : isFailed && error !== '' && { error, shown: error }),
    };
    writer.toolEnded(id, end);
  }

  private permission(span: TraceSpan, isEnd: boolean): void {
    const { writer } = this;
    if (!isEnd) return writer.asked(span.id, span.name);
    const { outcome } = span.about;
    if (outcome === 'ok') writer.settled(span.id, 'ok', 'allowed');
    else if (outcome === 'refused') writer.settled(span.id, 'refused', 'refused');
  }

  private subagent({ id, name, error, about }: TraceSpan, isEnd: boolean): void {
    const { writer } = this;
    const how = error === undefined ? 'ok' : 'error';
    const outcome = isEnd ? (about.isCancelled ? 'cancelled' : how) : undefined;
    writer.fact({ type: 'subagent', change: isEnd ? 'ended' : 'started', id, title: name, outcome });
    if (!isEnd) writer.note({ level: 'info', logger: 'subagent', message: `${oneLine(name, 300)} started` });
  }

  private hook({ span, parent }: TraceNode, isEnd: boolean): void {
    const { id, name, error, about, startedAt, endedAt } = span;
    const { hook = name, outcome, isCancelled } = about;
    const above = parent?.span;
    const toolId = above?.about.role === 'tool' ? (above.about.tool?.id ?? above.id) : undefined;
    if (!isEnd) return this.writer.hookStarted(id, hook, toolId);
    const failed = error === undefined ? 'ok' : 'error';
    const how = outcome === 'refused' ? outcome : isCancelled ? 'cancelled' : failed;
    this.writer.hookEnded(id, { name: hook, toolId, outcome: how, output: error ?? '', ms: endedAt - startedAt });
  }

  /** A request to a server, a query of a database, or anything else. */
  private other({ span, turn, parent }: TraceNode, isEnd: boolean): void {
    const { writer } = this;
    const { id, name, error, data } = span;
    // A turn has its own bar.
    const isStep = turn?.node.span !== span;
    if (isEnd) {
      if (isStep) writer.fact({ type: 'span', change: 'ended', id, title: name, error });
      return;
    }
    const why = error === undefined || error === '' ? '' : `: ${oneLine(error, 500)}`;
    const took = `${error === undefined ? '' : 'failed, '}in ${duration(span.endedAt - span.startedAt)}`;
    const level = error === undefined ? 'debug' : 'notice';
    writer.note({
      level,
      logger: 'span',
      message: `${oneLine(name, 300)} (${took})${why}`,
      ...(data !== undefined && { data }),
    });
    if (!isStep) return;
    const above = parent?.span;
    const parentId = above?.about.role === 'tool' ? (above.about.tool?.id ?? above.id) : above?.id;
    writer.fact({ type: 'span', change: 'started', id, parentId, title: name, error: undefined });
  }
}

function agentName({ node: { span } }: TraceTurn): string {
  return span.about.agent ?? span.name;
}
