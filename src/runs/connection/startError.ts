import type { Protocol } from '../../log/protocol';
import { protocolNames } from '../../log/protocol';
import type { EndCause, Termination } from '../../log/termination';
import { causeText } from '../../log/termination';
import { duration } from '../../log/text';
import { AgentError } from './agentError';
import { HumanError, messageOf, WrongProtocol } from '../humanError';
import { describeExit } from '../../protocols/lifecycle';
import { TimedOut } from '../waiting';

export interface FailedStart {
  /** The agent's name. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly error: unknown;
  /** How the agent ended, if that is why it didn't answer. */
  readonly died: Termination | undefined;
  /** Why it can't answer, if it is still running. */
  readonly cause: EndCause | undefined;
}

/** Describes why an agent didn't start and how to fix it, in one message. */
export function startError({ name, protocol, error, died, cause }: FailedStart): HumanError {
  if (error instanceof WrongProtocol) return error;
  if (died) {
    const before = `${name} ${howItEnded(died)} before it answered "initialize"`;
    return new HumanError(`${before}${causeText(died.cause)}`, remedies);
  }
  if (error instanceof TimedOut) {
    return new HumanError(
      `${name} did not answer "initialize" within ${duration(error.ms)}, and was stopped. Does it speak the ` +
        `${protocolNames[protocol]} when started like this? Another one is set as "protocol" in agentLogs.agents. The time ` +
        'it gets is agentLogs.initializeTimeout.',
      remedies,
    );
  }
  if (error instanceof AgentError) {
    return new HumanError(`${error.message} (${error.code}).`, remedies, { cause: error });
  }
  if (error instanceof HumanError && error.cause === undefined) return error;
  return new HumanError(
    `${name} closed its standard output before it answered "initialize"${causeText(cause)}`,
    remedies,
    {
      cause: messageOf(error),
    },
  );
}

/** The message about unanswered requests includes this. */
function howItEnded({ message = 'ended', exitCode, signal }: Termination): string {
  const how = describeExit({ code: exitCode ?? null, signal: signal ?? null });
  return message.startsWith(`${how} `) ? how : message;
}

const remedies = ['output', 'settings'] as const;
