import { BoundedMap } from '../text/boundedMap';
import type { CompactionFact, Usage } from './activity';
import type { OpenSteps } from './openSteps';
import type { SessionModels } from './usage/sessionModels';
import { keyOf } from './step';
import type { Turn } from './turn';
import type { SessionContext } from './usage/usage';

const maxSessions = 1000;

/** The compactions of sessions. */
export class Compactions {
  /** The context of a session when its compaction started. */
  private readonly compacting = new BoundedMap<string, SessionContext>(maxSessions);

  constructor(
    private readonly steps: OpenSteps,
    private readonly models: SessionModels,
  ) {}

  /** @param parent the ID of the step that it is part of. Returns how full the context is afterwards, if that is news. */
  see(
    { sessionId = '', event, change, isFailed, isCancelled, contextTokens = 0 }: CompactionFact,
    turn: Turn | undefined,
    parent: string | undefined,
  ): Pick<Usage, 'contextTokens'> | undefined {
    const key = keyOf('compaction', sessionId, '');
    if (turn) turn.isCompacting = change === 'started';
    const outcome = isFailed ? 'error' : isCancelled === true ? 'cancelled' : 'ok';
    const context = this.models.contextOf(sessionId);
    if (change === 'started') {
      if (context !== undefined) this.compacting.set(sessionId, context);
      if (this.steps.get(key)) return undefined;
      this.steps.start(key, { kind: 'compaction', sessionId, title: 'compaction', startedAt: event.t, parent });
      return undefined;
    }
    // Unknown until the next model request, unless the agent has said what is left.
    const isUnsaid = contextTokens > 0 || (this.compacting.get(sessionId) ?? context)?.tokens === context?.tokens;
    this.compacting.delete(sessionId);
    this.steps.end(key, event.t, { outcome });
    return outcome === 'ok' && context !== undefined && isUnsaid ? { contextTokens } : undefined;
  }
}
