import { t } from '../../text/translator';
import { withoutEnd } from '../../text/text';
import { withShortSession } from '../../text/sessionLabel';
import { HumanError } from '../../text/humanError';

/** An error response, as a library throws it. */
interface Refusal extends Error {
  readonly code: number;
  readonly data?: unknown;
}

/** An agent's error response (JSON-RPC 2.0 section 5.1). */
export class AgentError extends HumanError {
  readonly code: number;
  /** The agent's own message, without the error data. */
  readonly agentMessage: string;

  /** @param words the complete error message, on one line */
  constructor(
    agent: string,
    readonly method: string,
    words: string,
    error: Refusal,
  ) {
    super(t('{0} refused {1}: {2}', agent, method, withoutEnd(words, /[.\s]/)), ['output'], { cause: error });
    this.name = 'AgentError';
    this.code = error.code;
    this.agentMessage = error.message;
  }
}

/**
 * Makes an error response readable for the user.
 * @param sessionId the request's session ID, which is shortened if the message repeats it
 */
export async function agentError(
  agent: string,
  method: string,
  error: Refusal,
  sessionId?: string,
): Promise<AgentError> {
  const { errorLine } = await import('../../work/failures/errorText');
  return new AgentError(agent, method, withShortSession(errorLine(error), sessionId), error);
}
