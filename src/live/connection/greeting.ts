import { t } from '../../text/translator';
import type { Protocol } from '../../wire/protocol';
import { AgentError } from './agentError';
import { WrongProtocol } from '../../text/humanError';

/**
 * Returns the result of `initialize`.
 * @throws WrongProtocol if the result or error is that of another protocol; otherwise the response's error
 */
export async function greetingOf(agent: string, protocol: Protocol, answer: Promise<unknown>): Promise<unknown> {
  let result: unknown;
  try {
    result = await answer;
  } catch (error) {
    if (error instanceof AgentError) await checkProtocol(agent, protocol, { error: error.message });
    throw error;
  }
  await checkProtocol(agent, protocol, { result });
  return result;
}

/** @throws WrongProtocol if a response to `initialize` is one of another protocol */
export async function checkProtocol(
  agent: string,
  protocol: Protocol,
  answer: { readonly result: unknown } | { readonly error: string },
): Promise<void> {
  const { agentOf, otherProtocol, protocolSetting } = await import('../../protocols/otherProtocol');
  const other = otherProtocol(protocol, answer);
  if (other) {
    throw new WrongProtocol(
      t('{0} seems to be {1}. Set {2} in agentLogs.agents.', agent, agentOf(other), protocolSetting(other)),
    );
  }
}
