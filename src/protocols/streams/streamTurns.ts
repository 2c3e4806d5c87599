import { ownHead } from '../../log/ownText';
import type { WireMessage } from '../../wire/wireEvent';
import type { TurnEndedFact, TurnFact } from '../../work/activity';
import { maxPrompt, turnEnded } from '../../work/activity';
import { BoundedMap } from '../../log/boundedMap';

interface OpenTurn {
  readonly sessionId: string;
  /** The start of the prompt. */
  readonly prompt: string;
  readonly ownStart: number | undefined;
  /** True once it has any activity. */
  hasBegun: boolean;
  lastAt: number;
}

/** The line being read. */
export interface StreamLine {
  readonly event: WireMessage;
  readonly sessionId: string | undefined;
  /** The agent's own time, in milliseconds since the epoch. */
  readonly time: number | undefined;
}

/** What a line says about the end of a turn. */
export type StreamTurnEnd = Partial<
  Pick<
    TurnEndedFact,
    'stopReason' | 'failure' | 'isInterrupted' | 'isOfCommand' | 'took' | 'text' | 'usage' | 'answerTokens'
  >
>;

const maxOpen = 200;
const maxLeft = 20;
const maxStopReason = 100;

/** Tracks turns in an agent's JSON stream, which has one at a time. */
export class StreamTurns {
  private readonly open = new BoundedMap<string, OpenTurn>(maxOpen);
  /** Turns presumed dead because another session started; several agents may write to one file. */
  private readonly left = new BoundedMap<string, OpenTurn>(maxLeft);
  /** The start of the prompt for a turn that hasn't started. */
  private prompt = '';

  constructor(private readonly tell: (fact: TurnFact) => void) {}

  /** Handles a user message: it starts a turn, or waits for the current one to end. */
  prompted(line: StreamLine, text: string): void {
    this.prompt = ownHead(text, maxPrompt);
    if (!this.turnOf(line.sessionId)) this.start(line, false);
  }

  /**
   * @param isNew true if a run starts, or continues after a turn, so that an earlier turn has ended even if no line says so
   * @param hasTurn true if the turn starts with it, rather than with a later line
   */
  begins(line: StreamLine, isNew: boolean, hasTurn = true): void {
    const own = this.turnOf(line.sessionId);
    if (own && !(isNew && own.hasBegun)) {
      own.hasBegun = true;
      return;
    }
    // The process was killed: a file may contain several runs.
    const open = own ?? this.open.values().at(-1);
    if (open) this.open.delete(open.sessionId);
    // The user may have written before the agent named another session.
    const isRelined = open?.hasBegun === false;
    if (isRelined && open.prompt !== '') this.prompt = open.prompt;
    if (open && !own && !isRelined) this.left.set(open.sessionId, open);
    const about = { event: line.event, sessionId: open?.sessionId };
    if (isRelined) this.tell({ type: 'turn', change: 'dropped', ...about });
    else if (open) this.tell(turnEnded(about, { endedAt: open.lastAt, isUnanswered: true }));
    if (hasTurn) this.start(line, true);
  }

  /** Reports activity in the session's turn. @param hasBegun undefined if it may precede the start of the turn */
  works({ event, sessionId }: StreamLine, hasBegun: boolean | undefined): void {
    const turn = this.takenUp(event, sessionId);
    if (turn && hasBegun !== undefined) turn.hasBegun = hasBegun;
  }

  ends({ event, sessionId, time }: StreamLine, end: StreamTurnEnd): void {
    const turn = this.takenUp(event, sessionId);
    if (sessionId !== undefined) this.open.delete(sessionId);
    const stopReason = end.isInterrupted === true ? 'cancelled' : end.stopReason?.slice(0, maxStopReason);
    const took = end.took ?? ownTime(turn, time);
    this.tell(turnEnded({ event, sessionId }, { ...end, stopReason, took }));
  }

  /** Called for each line of this session. */
  heard(sessionId: string | undefined, t: number): void {
    const turn = this.turnOf(sessionId);
    if (turn) turn.lastAt = t;
  }

  /** Called when the process ends. */
  clear(): void {
    this.open.clear();
  }

  private start({ event, sessionId, time }: StreamLine, hasBegun: boolean): void {
    const { t } = event;
    const ownStart = hasBegun ? time : undefined;
    const { prompt } = this;
    if (sessionId !== undefined) {
      this.left.delete(sessionId);
      this.open.set(sessionId, { sessionId, prompt, ownStart, hasBegun, lastAt: t });
      this.prompt = '';
    }
    const about = { type: 'turn', change: 'started', event, sessionId, startedAt: t, prompt } as const;
    this.tell({ ...about, isUnprompted: false, cancel: undefined });
  }

  /** Resumes the turn of a session that continues after another one started. */
  private takenUp(event: WireMessage, sessionId: string | undefined): OpenTurn | undefined {
    const open = this.turnOf(sessionId);
    if (open || sessionId === undefined) return open;
    const left = this.left.get(sessionId);
    if (!left) return undefined;
    this.left.delete(sessionId);
    this.open.set(sessionId, left);
    this.tell({ type: 'turn', change: 'resumed', event, sessionId });
    return left;
  }

  private turnOf(sessionId: string | undefined): OpenTurn | undefined {
    return sessionId === undefined ? undefined : this.open.get(sessionId);
  }
}

/** The duration by the agent's own timestamps. */
function ownTime(turn: OpenTurn | undefined, end: number | undefined): number | undefined {
  const start = turn?.ownStart;
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}
