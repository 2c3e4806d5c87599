import { BoundedMap } from '../../text/boundedMap';
import type { Usage, UsageFact } from '../activity';
import type { WorkSink } from '../step';
import type { Turn } from '../turn';
import { addUsage, usageWithContext } from './usage';

const maxSessions = 1000;

/** Adds to turns what is known before their end, or only afterwards: some are killed, and some lines come late. */
export class SpentByTurns {
  /** The newest turn of each session. */
  private readonly newest = new BoundedMap<string, Turn>(maxSessions);

  constructor(private readonly sink: Pick<WorkSink, 'changed'>) {}

  started(turn: Turn): void {
    this.newest.set(turn.sessionId, turn);
  }

  /** @param running the session's running turn; without one, the newest has spent it */
  add({ sessionId = '', spent }: UsageFact, running: Turn | undefined): void {
    const turn = running ?? this.newest.get(sessionId);
    // A sum of more than the turn has it already.
    if (!spent || !turn || (turn.usage && turn.usage.basis !== 'turn')) return;
    turn.usage = addUsage(turn.usage, spent) ?? spent;
    this.sink.changed(turn);
  }

  /** Between turns, the newest has what the session's context is now. */
  compacted(sessionId: string | undefined, { contextTokens = 0 }: Pick<Usage, 'contextTokens'>): void {
    const turn = this.newest.get(sessionId ?? '');
    if (!turn || contextTokens === 0) return;
    turn.usage = usageWithContext(turn.usage, { tokens: contextTokens, window: turn.usage?.contextWindow });
    this.sink.changed(turn);
  }
}
