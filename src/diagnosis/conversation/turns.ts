import { ownHead } from '../../log/ownText';
import { BoundedMap } from '../../log/boundedMap';
import type {
  ActivityFact,
  PermissionFact,
  ToolFact,
  TurnEndedFact,
  TurnFact,
  TurnStartedFact,
} from '../../work/activity';
import { isActivity } from '../../work/activity';
import type { Fact } from '../../work/facts';
import type { Conversation } from './conversation';
import type { Turn, TurnEnd } from './turn';
import { noteLimit, noteRetry, noteShownError, noteStderr } from './troubles';
import { addAct, addFinalText, addText, endTurn, newTurn, restartTool, startSubagent, startTool } from './turn';

const maxLeft = 20;
const maxTitle = 300;

/** Keeps track of the turns: what each is doing, and how it ended. */
export class Turns {
  /** Turns given up as dead; they may still continue. */
  private readonly left = new BoundedMap<string, Turn>(maxLeft);

  constructor(private readonly conversation: Conversation) {}

  /** Returns the end of a turn if the fact is one. */
  see(fact: Fact): TurnEnd | undefined {
    if (!isActivity(fact)) {
      this.hear(fact);
      return undefined;
    }
    if (fact.type === 'turn') return this.seeTurn(fact);
    const turn = this.turnOf(fact.sessionId);
    if (turn) note(turn, fact);
    return undefined;
  }

  /** A session isn't silent if its agent sends or receives something. */
  private hear(fact: Exclude<Fact, ActivityFact>): void {
    switch (fact.type) {
      case 'object':
        return this.heard(fact.sessionId, fact.event.t);
      case 'notification':
        return fact.dir === 'a2c' ? this.heard(fact.sessionId, fact.event.t) : undefined;
      case 'request':
        return fact.dir === 'a2c' ? this.heard(fact.request.sessionId, fact.event.t) : undefined;
      case 'response':
        return fact.dir === 'c2a' ? this.heard(fact.request?.sessionId, fact.event.t) : undefined;
      case 'stderr': {
        const turn = this.conversation.turnNamedIn(fact.event.line);
        return turn && noteStderr(turn, this.conversation.troubleOnStderr(fact.event));
      }
      default:
    }
  }

  private heard(sessionId: string | undefined, t: number): void {
    const turn = this.turnOf(sessionId);
    if (turn) turn.lastAt = t;
  }

  private seeTurn(fact: TurnFact): TurnEnd | undefined {
    const { sessionId, event } = fact;
    const turn = this.turnOf(sessionId);
    switch (fact.change) {
      case 'started':
        this.start(fact);
        return undefined;
      case 'resumed':
        this.resume(sessionId, event.t);
        return undefined;
      case 'dropped':
        if (turn) this.conversation.turns.delete(turn.sessionId);
        return undefined;
      case 'cancelled':
        if (turn) turn.cancel = { at: event.t, method: fact.method, earlier: turn.cancel };
        return undefined;
      case 'closing':
        if (turn) turn.isSessionClosed = true;
        return undefined;
      case 'ended':
        return this.end(fact, turn);
    }
  }

  private start({ sessionId, startedAt, prompt, isUnprompted, cancel, event }: TurnStartedFact): void {
    // A failure that an earlier turn reported no longer explains an exit.
    this.conversation.hasReportedFailure = false;
    if (sessionId === undefined) return;
    this.left.delete(sessionId);
    const turn = newTurn(sessionId, startedAt, prompt);
    this.conversation.turns.set(sessionId, { ...turn, lastAt: event.t, hasActed: isUnprompted, cancel });
  }

  private resume(sessionId: string | undefined, t: number): void {
    const left = sessionId === undefined ? undefined : this.left.get(sessionId);
    if (!left) return;
    this.left.delete(left.sessionId);
    left.lastAt = t;
    this.conversation.turns.set(left.sessionId, left);
  }

  private end(fact: TurnEndedFact, turn: Turn | undefined): TurnEnd | undefined {
    const { event, endedAt, stopReason, error, took, isUnanswered, answerTokens } = fact;
    // An agent without more input exits after an interrupted turn, so that explains its exit.
    if (fact.failure || fact.isInterrupted) this.conversation.hasReportedFailure = true;
    else if (!isUnanswered) this.conversation.hasReportedFailure = false;
    if (!turn) return undefined;
    this.conversation.turns.delete(turn.sessionId);
    if (isUnanswered) this.left.set(turn.sessionId, turn);
    else addFinalText(turn, fact.text);
    if (fact.isInterrupted && !fact.isOfCommand) turn.cancel = { at: endedAt, method: 'interrupt' };
    const ended = endTurn(turn, endedAt, {
      stopReason,
      error,
      took,
      isUnanswered,
      tokens: tokensOf(fact),
      answerTokens,
    });
    return { event, turn: ended, ...(fact.isOfCommand && { isOfCommand: true }) };
  }

  private turnOf(sessionId: string | undefined): Turn | undefined {
    return sessionId === undefined ? undefined : this.conversation.turns.get(sessionId);
  }
}

/** Output tokens, if the agent counts them. */
function tokensOf({ usage }: TurnEndedFact): number | undefined {
  return usage?.outputTokens ?? usage?.totalTokens;
}

function note(turn: Turn, fact: Exclude<ActivityFact, TurnFact>): void {
  switch (fact.type) {
    case 'message':
      if (fact.speaker === 'agent') return addText(turn, fact.isPartial ? '' : fact.text);
      return fact.speaker === 'user' ? undefined : addAct(turn);
    case 'tool':
      return noteTool(turn, fact);
    case 'progress':
      return addAct(turn);
    case 'permission':
      return noteQuestion(turn, fact);
    case 'retry':
      return noteRetry(turn, fact);
    case 'limit':
      return noteLimit(turn, fact);
    case 'notice':
      return noteShownError(turn, fact);
    case 'subagent':
      if (fact.change === 'started') {
        startSubagent(turn, fact.id, ownHead(fact.title ?? 'a subagent', maxTitle), fact.event.t);
      } else if (fact.change === 'ended') turn.subagents.delete(fact.id);
      return;
    case 'compaction':
      turn.isCompacting = fact.change === 'started';
      return;
    default:
  }
}

function noteTool(turn: Turn, { change, id, title, event, isSubagent }: ToolFact): void {
  if (change === 'resumed') return id === undefined ? undefined : restartTool(turn, id, event.t);
  addAct(turn);
  turn.hasCalledTool = true;
  if (id === undefined) return;
  const known = turn.tools.get(id);
  if (change === 'ended') turn.tools.delete(id);
  else if (change === 'running' || known) {
    startTool(turn, id, ownHead(title ?? known?.title ?? 'a tool', maxTitle), event.t, isSubagent);
  }
}

function noteQuestion(turn: Turn, fact: PermissionFact): void {
  if (fact.change === 'asked') turn.questions.set(fact.id, fact.asking);
  else turn.questions.delete(fact.id);
}
