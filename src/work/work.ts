import { BoundedMap } from '../text/boundedMap';
import { objectOf } from '../text/json';
import { oneLine } from '../text/text';
import type { WireProcessEvent } from '../wire/wireEvent';
import type {
  ActivityFact,
  MessageFact,
  ModelFact,
  SubagentFact,
  TurnEndedFact,
  TurnFact,
  TurnStartedFact,
  Usage,
} from './activity';
import { isActivity, maxActivityId } from './activity';
import { traceparentOf } from './tools/callMarks';
import { Compactions } from './compactions';
import { classOfFailure } from './failures/failureClass';
import { saysMore } from './failures/ranking';
import type { Fact, LineFact } from './facts';
import { OpenSteps } from './openSteps';
import { Questions } from './questions';
import { Quotas } from './usage/quotas';
import type { OpenRequest } from './requests';
import { Requests } from './requests';
import { SpentByTurns } from './usage/spentByTurns';
import { SessionModels } from './usage/sessionModels';
import { turnOutcome } from './stepOutcomes';
import type { Step, WorkSink } from './step';
import { keyOf, maxTitle } from './step';
import type { ToolCall } from './tools/toolCall';
import { Tools } from './tools/tools';
import { TracedSpans } from './tracedSpans';
import type { EndedTurn, Turn, TurnEnd } from './turn';
import { addAct, addFinalText, addPrompt, addText, cancelTurn, endedTurn, newTurn, startSubagent } from './turn';
import { noteFact, noteStderr } from './turnTroubles';
import { usageWithContext } from './usage/usage';

const maxSessions = 1000;
/** Steps that may continue after the turn that started them. */
const outlives = new Set<Step['kind']>(['turn', 'subagent']);

/** What a fact ended: a turn, and the tool calls that ended, or of whose end more is known. */
export interface WorkEnd {
  readonly turn: TurnEnd | undefined;
  readonly tools: readonly ToolCall[];
}

/**
 * What the agent of a run does: turns, tool calls, questions, subagents, compactions, hooks and requests, made from facts. The only place that pairs starts
 * with ends and decides how something ended. A function of the facts so far, bounded in size.
 */
export class Work {
  private readonly steps: OpenSteps;
  readonly tools: Tools;
  readonly questions: Questions;
  /** The steps of subagents, by session. */
  private readonly subagents = new BoundedMap<string, string>(maxSessions);
  readonly models = new SessionModels();
  readonly quotas = new Quotas();
  /** The running turns of known sessions. */
  private readonly running = new BoundedMap<string, Turn>(maxSessions);
  private readonly spent: SpentByTurns;
  private readonly compactions: Compactions;
  private readonly traced: TracedSpans;

  /** The open requests. Readers add and end them, before their facts. */
  readonly requests: Requests;

  /** @param requestChanged see `Requests` */
  constructor(
    private readonly sink: WorkSink,
    requestChanged?: (request: OpenRequest, at?: number) => void,
  ) {
    this.requests = new Requests(requestChanged);
    this.steps = new OpenSteps(sink);
    this.spent = new SpentByTurns(sink);
    this.tools = new Tools(this.steps, sink);
    this.questions = new Questions(this.steps, this.tools);
    this.compactions = new Compactions(this.steps, this.models);
    this.traced = new TracedSpans(this.steps, this.tools);
  }

  /** The running turns of known sessions, oldest first. */
  get turns(): readonly Turn[] {
    return this.running.values();
  }

  get hasTurns(): boolean {
    return this.running.size > 0;
  }

  /** The running turn of a session. */
  turnOf(sessionId: string | undefined): Turn | undefined {
    return sessionId === undefined ? undefined : this.running.get(sessionId);
  }

  /** Whether the session's turn was given up, and may continue. */
  canResume(sessionId: string): boolean {
    return this.steps.isGivenUp(keyOf('turn', sessionId, ''));
  }

  /** Number of open steps whose ends won't be noticed, because there were too many. */
  get forgottenSteps(): number {
    return this.steps.forgotten;
  }

  /** The session sent or received something, so it isn't silent. */
  heard(sessionId: string | undefined, t: number): void {
    const turn = this.running.size === 0 ? undefined : this.turnOf(sessionId);
    if (turn) turn.lastAt = t;
  }

  /** Notes a failure that only standard error has. @param limit maximum number of retries, if known */
  noteTrouble(turn: Turn, message: string, isRetry: boolean, limit?: number): void {
    noteStderr(turn, message, isRetry, limit);
    if (isRetry) this.sink.changed(turn);
  }

  /** A turn that has ended failed, as a closer look shows, whatever its answer says. */
  failed(turn: EndedTurn, why: string): void {
    const { cause, end } = turn;
    const own = end?.outcome === 'error' ? end.detail : undefined;
    // The agent's own words say more, unless others say the cause.
    if (own !== undefined && !(cause && saysMore(cause.failure, classOfFailure(own)))) return;
    turn.end = { ...turn.end, outcome: turn.isUnanswered ? 'unanswered' : 'error', detail: oneLine(why, maxTitle) };
    this.sink.changed(turn);
  }

  /** Ends a turn because its process has ended. */
  giveUp(turn: Turn, event: WireProcessEvent): TurnEnd {
    this.running.delete(turn.sessionId);
    this.steps.end(keyOf('turn', turn.sessionId, ''), event.t, { outcome: 'unanswered' });
    return { event, turn: endedTurn(turn, event.t, { isUnanswered: true }) };
  }

  /** Nothing that is open can continue: the process ended, or another run begins. */
  end(t: number): void {
    this.steps.endAll(t);
    this.running.clear();
    this.requests.takeAll();
    this.questions.clear();
  }

  /** The records of the line that the latest facts come from are written; the newest has this number. */
  reach(seq: number): void {
    this.sink.reach(seq);
  }

  /** Returns what the fact ended, if anything. Only a reader calls this, once for each fact: see `Facts`. */
  see(fact: Fact): WorkEnd | undefined {
    if (!isActivity(fact)) {
      this.seeLine(fact);
      return undefined;
    }
    const turn = fact.type === 'turn' ? this.seeTurn(fact) : undefined;
    if (fact.type !== 'turn') this.seePart(fact);
    const tools = this.tools.takeEnded();
    return turn || tools.length > 0 ? { turn, tools } : undefined;
  }

  private seePart(fact: Exclude<ActivityFact, TurnFact>): void {
    const turn = this.anyTurnOf(fact.sessionId);
    switch (fact.type) {
      case 'tool':
        return this.tools.see(fact, turn, this.aboveIn(fact.sessionId));
      case 'terminal':
        return this.tools.exited(fact, turn);
      case 'message':
        return this.seeMessage(fact);
      case 'model':
        return this.seeModel(fact);
      case 'usage':
        this.spent.add(fact, turn);
        this.seeUsage(fact.sessionId, fact.usage);
        break;
      case 'permission':
        return this.questions.see(fact, turn, this.aboveIn(fact.sessionId));
      case 'subagent':
        this.seeSubagent(fact);
        break;
      case 'compaction': {
        const left = this.compactions.see(fact, turn, this.aboveIn(fact.sessionId));
        if (left) this.seeUsage(fact.sessionId, left);
        if (left && !turn) this.spent.compacted(fact.sessionId, left);
        break;
      }
      case 'hook':
        this.tools.seeHook(fact, turn, this.aboveIn(fact.sessionId));
        break;
      case 'quota':
        return this.quotas.see(fact);
      case 'span':
        return this.traced.see(fact, this.aboveIn(fact.sessionId));
      default:
        if (turn && noteFact(turn, fact)) this.sink.changed(turn);
    }
  }

  private seeLine(fact: LineFact): void {
    switch (fact.type) {
      case 'request': {
        const { sessionId } = fact.request;
        this.steps.startRequest(fact, this.aboveIn(sessionId));
        return fact.dir === 'a2c' ? this.heard(sessionId, fact.event.t) : undefined;
      }
      case 'response': {
        if (fact.dir === 'c2a') this.heard(fact.request?.sessionId, fact.event.t);
        return fact.isAccepted === true ? undefined : this.steps.endRequest(fact);
      }
      case 'closed':
        return this.steps.endRequest(fact);
      case 'notification':
        return fact.dir === 'a2c' ? this.heard(fact.sessionId, fact.event.t) : undefined;
      default:
    }
  }

  private seeTurn(fact: TurnFact): TurnEnd | undefined {
    const { sessionId = '', event } = fact;
    const key = keyOf('turn', sessionId, '');
    const turn = this.anyTurnOf(sessionId);
    switch (fact.change) {
      case 'started':
        this.start(key, fact);
        return undefined;
      case 'resumed': {
        const resumed = this.steps.reopen(key) as Turn | undefined;
        if (!resumed) return undefined;
        resumed.lastAt = event.t;
        if (sessionId !== '') this.running.set(sessionId, resumed);
        return undefined;
      }
      case 'dropped':
        this.steps.drop(key);
        this.running.delete(sessionId);
        return undefined;
      case 'cancelled':
        if (turn) cancelTurn(turn, event.t, fact.method);
        return undefined;
      case 'closing':
        if (turn) turn.isSessionClosed = turn.isUnwanted = true;
        return undefined;
      case 'ended':
        return this.endTurn(key, fact, turn);
    }
  }

  private start(
    key: string,
    { sessionId = '', startedAt, time: ownStart, prompt, isUnprompted, cancel, event }: TurnStartedFact,
  ): void {
    const id = this.steps.newId('turn');
    const parent = this.subagentOf(sessionId);
    const traceparent = traceparentOf(objectOf(event.msg)['params']);
    const about = { id, parent, sessionId, startedAt, ownStart, prompt, isUnprompted, cancel, traceparent };
    const turn = newTurn({ ...about, lastAt: event.t });
    const model = this.models.nameOf(sessionId);
    if (model !== undefined) turn.model = model;
    turn.hook = this.tools.hooks.take(sessionId);
    this.steps.begin(key, turn);
    this.spent.started(turn);
    if (sessionId !== '') this.running.set(sessionId, turn);
  }

  private endTurn(key: string, fact: TurnEndedFact, turn: Turn | undefined): TurnEnd | undefined {
    if (!turn) return undefined;
    const { event, endedAt, stopReason, error, took, isUnanswered, answerTokens, usage } = fact;
    if (usage) turn.usage = usage;
    this.noteContext(fact.sessionId, usage);
    if (stopReason === 'cancelled') turn.isUnwanted = true;
    if (fact.isInterrupted) this.tools.interrupted(turn);
    this.endParts(turn, endedAt);
    if (!isUnanswered) addFinalText(turn, fact.text);
    const end = turnOutcome(fact, turn);
    if (fact.isInterrupted && !fact.isOfCommand) turn.cancel = { at: endedAt, method: 'interrupt' };
    this.running.delete(turn.sessionId);
    this.steps.end(key, endedAt, end);
    if (turn.sessionId === '') return undefined;
    const tokens = usage?.outputTokens ?? usage?.totalTokens;
    const ended: EndedTurn = endedTurn(turn, endedAt, { stopReason, error, took, isUnanswered, tokens, answerTokens });
    const { isOfCommand, isAnswerUnknown = false } = fact;
    return {
      event,
      turn: ended,
      ...(isOfCommand && { isOfCommand: true }),
      ...(isAnswerUnknown && { isAnswerUnknown: true }),
    };
  }

  /** Ends the open parts of a turn. */
  private endParts(turn: Turn, t: number): void {
    const isPart = ({ parent, sessionId, kind }: Step): boolean =>
      parent !== undefined && sessionId === turn.sessionId && !outlives.has(kind);
    this.steps.endThose(isPart, t, { outcome: turn.isUnwanted ? 'cancelled' : 'unanswered' });
  }

  private seeMessage({ sessionId, speaker, text, isPartial }: MessageFact): void {
    const turn = this.anyTurnOf(sessionId);
    if (!turn) return;
    if (speaker === 'agent') return addText(turn, isPartial ? '' : text);
    if (speaker !== 'user') return addAct(turn);
    if (addPrompt(turn, text)) this.sink.changed(turn);
  }

  private seeModel({ sessionId = '', to }: ModelFact): void {
    if (to === undefined) return;
    const model = this.models.use(sessionId, to);
    const turn = this.anyTurnOf(sessionId);
    if (!turn) return;
    turn.model = model;
    this.sink.changed(turn);
  }

  private seeUsage(sessionId: string | undefined, usage: Partial<Usage>): void {
    const turn = this.noteContext(sessionId, usage);
    if (turn) this.sink.changed(turn);
  }

  /** Notes how full a session's context is, also in its running turn, which it returns. */
  private noteContext(sessionId: string | undefined, usage: Partial<Usage> | undefined): Turn | undefined {
    const turn = this.anyTurnOf(sessionId);
    const context = this.models.noteContext(sessionId, usage);
    if (turn && context) turn.usage = usageWithContext(turn.usage, context);
    return turn;
  }

  private seeSubagent({ sessionId = '', event, id, title, change, outcome }: SubagentFact): void {
    const key = keyOf('subagent', sessionId, id);
    const turn = this.anyTurnOf(sessionId);
    if (change === 'started' && turn) startSubagent(turn, id, oneLine(title ?? 'a subagent', maxTitle), event.t);
    if (change === 'ended') {
      turn?.subagents.delete(id);
      this.steps.end(key, event.t, { outcome: outcome ?? 'ok' });
    }
    if (change !== 'started' || this.steps.get(key)) return;
    const parent = this.aboveIn(sessionId);
    const step = this.steps.start(key, { kind: 'subagent', sessionId, title: title ?? id, startedAt: event.t, parent });
    this.subagents.set(id, step.id);
  }

  /** Includes the turn of a stream that names no session. */
  private anyTurnOf(sessionId = ''): Turn | undefined {
    return this.running.get(sessionId) ?? (this.steps.get(keyOf('turn', sessionId, '')) as Turn | undefined);
  }

  /** The ID of the step that contains a session's current work. */
  private aboveIn(sessionId: string | undefined): string | undefined {
    return this.anyTurnOf(sessionId)?.id ?? this.subagentOf(sessionId);
  }

  /** The ID of the step of the subagent that a session belongs to. */
  private subagentOf(sessionId: string | undefined): string | undefined {
    return sessionId === undefined ? undefined : this.subagents.get(sessionId.slice(0, maxActivityId));
  }
}
