import { oneLine } from '../log/text';
import { errorWords } from '../protocols/errorWords';
import { HumanError } from './humanError';

/** What an agent answered instead of a result (JSON-RPC 2.0 section 5.1). */
export class AgentError extends HumanError {
  readonly code: number;
  /** The agent's own words, without what its data says. */
  readonly agentMessage: string;

  constructor(
    agent: string,
    readonly method: string,
    error: Error & { readonly code: number; readonly data?: unknown },
  ) {
    const words = oneLine(errorWords(error), 1000).replace(/[.\s]+$/, '');
    super(`${agent} refused ${method}: ${words}`, ['output'], { cause: error });
    this.name = 'AgentError';
    this.code = error.code;
    this.agentMessage = oneLine(error.message, 1000);
  }
}
