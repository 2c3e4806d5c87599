import type { KnownSession } from '../past/saved/now/stateChanges';
import type { RunView } from '../runLog/runView';

/** A session of an agent that this window runs. */
export interface LiveSession extends KnownSession {
  readonly run: RunView;
}

/** Whether a session that works or waits is one of this window's runs. */
export function isLiveSession(session: KnownSession): session is LiveSession {
  return 'run' in session;
}
