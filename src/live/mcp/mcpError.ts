import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { oneLine } from '../../text/text';
import { textOf } from '../../text/json';
import { agentError } from '../connection/agentError';
import { failedHttp } from '../connection/unreachable';
import { codeOf, goneBefore, HumanError, messageOf } from '../../text/humanError';
import type { McpCall } from './mcpCalls';
import { Cancelled } from '../../time/waiting';
import { answeredWith, refusalText } from './http/refusalText';

export interface FailedMcpRequest {
  readonly agentName: string;
  readonly method: string;
  readonly error: unknown;
  readonly call?: McpCall;
  readonly how: Words;
  /** The server's URL, if it has one. */
  readonly address?: string | undefined;
}

/** Turns a failed request into a message for the user: what failed, and what to do about it. */
export async function mcpError({ agentName, method, error, call, how, address }: FailedMcpRequest): Promise<Error> {
  if (error instanceof Cancelled) return error;
  if (call?.cancelledByServer !== undefined) {
    const cancelled = t('{0} cancelled {1}', agentName, method);
    return new HumanError(sentence(cancelled, call.cancelledByServer), ['output']);
  }
  const own = humanCause(error);
  if (own) return own;
  if (error instanceof ProtocolError) return agentError(agentName, method, error);
  if (error instanceof SdkHttpError) {
    const { status, statusText = '', data } = error;
    return failedHttp(
      { method: 'POST', status, message: refusalText(textOf(data['text']) ?? '', statusText) },
      address,
    );
  }
  if (codeOf(error) === 'CONNECTION_CLOSED' || codeOf(error) === 'NOT_CONNECTED') {
    return goneBefore(agentName, how, method, error);
  }
  const words = oneLine(messageOf(error), 500);
  if (/\btext\/html\b/.test(words)) return failedHttp({ method: 'POST', message: answeredWith('text/html') }, address);
  return new HumanError(t("Couldn't send {0} to {1}: {2}", method, agentName, words), ['output']);
}

function sentence(what: Words, reason: string): Words {
  return reason === '' ? t('{0}.', what) : t('{0}: {1}', what, reason);
}

/** The error that our own code below the library threw. */
function humanCause(error: unknown): HumanError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof HumanError) return cause;
  }
  return undefined;
}
