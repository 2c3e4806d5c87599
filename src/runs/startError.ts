import type { Protocol } from '../log/protocol';
import { protocolNames } from '../log/protocol';
import { duration } from '../log/text';
import { AgentError } from './agentError';
import { HumanError, messageOf } from './humanError';
import type { Termination } from '../log/termination';
import { TimedOut } from './waiting';

export interface FailedStart {
  /** The agent's. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly error: unknown;
  /** How the agent ended, where that is why it did not answer. */
  readonly died: Termination | undefined;
  readonly lastWords: string | undefined;
}

/** Why an agent did not start, in one message with what to do about it. */
export function startError({ name, protocol, error, died, lastWords }: FailedStart): HumanError {
  const words = lastWords === undefined ? '.' : `. It said last: ${lastWords}`;
  if (died) {
    return new HumanError(`${name} ${died.message ?? 'ended'} before it answered "initialize"${words}`, remedies);
  }
  if (error instanceof TimedOut) {
    return new HumanError(
      `${name} did not answer "initialize" within ${duration(error.ms)}, and was stopped. Does it speak the ` +
        `${protocolNames[protocol]} when started like this? The time it gets is agentLogs.initializeTimeout.`,
      remedies,
    );
  }
  if (error instanceof AgentError) {
    return new HumanError(`${error.message} (${error.code})${words}`, remedies, { cause: error });
  }
  if (error instanceof HumanError && error.cause === undefined) return error;
  return new HumanError(`${name} closed its standard output before it answered "initialize"${words}`, remedies, {
    cause: messageOf(error),
  });
}

const remedies = ['output', 'settings'] as const;
