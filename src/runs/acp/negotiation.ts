import type { JsonObject } from '../../protocols/json';
import { AgentError } from '../connection/agentError';
import { AgentGone } from '../humanError';
import type { AcpVersion } from './dialect';
import { spokenVersion } from './dialect';

/** How long to wait for the answer to a repeated `initialize`, in milliseconds. Agents take about 30 ms. */
const maxWait = 1000;

/**
 * Offers version 2 with the fields of both versions. Agents that answer 1 may have ignored that offer's capabilities, so `initialize` is
 * repeated in version 1's form. The repeat is optional: if it fails, the first answer counts.
 * @param ask sends `initialize` and waits for the answer
 * @throws AgentGone if the agent exited
 */
export async function negotiate(ask: (version: AcpVersion) => Promise<JsonObject>): Promise<JsonObject> {
  let answered: JsonObject;
  try {
    answered = await ask(2);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return ask(1);
  }
  if (spokenVersion(answered) !== 1) return answered;
  try {
    const again = await within(maxWait, ask(1));
    return spokenVersion(again) === 1 ? again : answered;
  } catch (error) {
    if (error instanceof AgentGone) throw error;
    return answered;
  }
}

/** Waits for an optional answer. */
export function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), ms);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
