import { ownHead } from '../../text/ownText';
import type { TurnFact } from '../../work/activity';
import { maxPrompt, turnEnded } from '../../work/activity';
import type { Turn } from '../../work/turn';
import type { Work } from '../../work/work';
import type { Place } from './verbs';

/** Starts turns, and tells which one a line belongs to. */
export class WriterTurns {
  /** The prompt of a turn that hasn't started. */
  private prompt = '';
  /** Turns of which only the prompt is known. */
  private readonly unbegun = new WeakSet<Turn>();

  constructor(
    private readonly work: Work,
    private readonly report: (fact: TurnFact) => void,
  ) {}

  start({ event, sessionId, time }: Place, prompt: string): void {
    const about = { type: 'turn', change: 'started', event, sessionId, startedAt: event.t } as const;
    this.report({ ...about, time, prompt: ownHead(prompt, maxPrompt), isUnprompted: false, cancel: undefined });
  }

  /** Handles a user's message to an agent's stream: it starts a turn, or waits for the current one to end. */
  prompted(place: Place, text: string): void {
    this.prompt = ownHead(text, maxPrompt);
    if (this.work.turnOf(place.sessionId)) return;
    this.startNext({ ...place, time: undefined });
    const turn = this.work.turnOf(place.sessionId);
    if (turn) this.unbegun.add(turn);
  }

  /**
   * Handles the start of a turn in a stream, which has one at a time.
   * @param isNew true if a run starts, or continues after a turn, so that an earlier turn has ended even if no line says so
   * @param hasTurn true if the turn starts with it, rather than with a later line
   */
  begin(place: Place, isNew: boolean, hasTurn: boolean): void {
    const own = this.work.turnOf(place.sessionId);
    if (own && (!isNew || this.unbegun.has(own))) {
      this.unbegun.delete(own);
      return;
    }
    // The process was killed: a file may contain several runs.
    const open = own ?? this.work.turns.at(-1);
    const about = { event: place.event, sessionId: open?.sessionId };
    if (open && this.unbegun.has(open)) {
      // The user may have written before the agent named another session.
      if (open.prompt !== '') this.prompt = open.prompt;
      this.report({ type: 'turn', change: 'dropped', ...about });
    } else if (open) this.report(turnEnded(about, { endedAt: open.lastAt, isUnanswered: true }));
    if (hasTurn) this.startNext(place);
  }

  /** The turn that a line is part of. It continues if it was given up because another session started: several agents may write to one file. */
  at({ event, sessionId }: Place): Turn | undefined {
    const turn = this.work.turnOf(sessionId);
    if (turn || sessionId === undefined || !this.work.canResume(sessionId)) return turn;
    this.report({ type: 'turn', change: 'resumed', event, sessionId });
    return this.work.turnOf(sessionId);
  }

  /** @param hasBegun false if the prompt of a turn continues in another session */
  mark(turn: Turn | undefined, hasBegun: boolean): void {
    if (turn && hasBegun) this.unbegun.delete(turn);
    else if (turn) this.unbegun.add(turn);
  }

  private startNext(place: Place): void {
    const { prompt } = this;
    if (place.sessionId !== undefined) this.prompt = '';
    this.start(place, prompt);
  }
}
