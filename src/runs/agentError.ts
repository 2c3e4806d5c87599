import { HumanError } from './humanError';

/** What an agent answered instead of a result (JSON-RPC 2.0 section 5.1). */
export class AgentError extends HumanError {
  constructor(
    agent: string,
    readonly method: string,
    readonly code: number,
    /** The agent's own words. */
    readonly agentMessage: string,
    cause: unknown,
  ) {
    super(`${agent} refused ${method}: ${agentMessage.replace(/[.\s]+$/, '')}`, ['output'], { cause });
    this.name = 'AgentError';
  }
}
