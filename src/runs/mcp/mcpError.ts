import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import type { Words } from '../../log/translator';
import { t } from '../../log/translator';
import { oneLine } from '../../log/text';
import { agentError } from '../connection/agentError';
import { codeOf, goneBefore, HumanError, messageOf } from '../humanError';
import type { McpCall } from './mcpCalls';
import { Cancelled } from '../waiting';

export interface FailedMcpRequest {
  readonly agentName: string;
  readonly method: string;
  readonly error: unknown;
  readonly call?: McpCall;
  readonly how: Words;
}

/** Turns a failed request into a message for the user: what failed, and what to do about it. */
export async function mcpError({ agentName, method, error, call, how }: FailedMcpRequest): Promise<Error> {
  if (error instanceof Cancelled) return error;
  if (call?.cancelledByServer !== undefined) {
    const cancelled = t('{0} cancelled {1}', agentName, method);
    return new HumanError(sentence(cancelled, call.cancelledByServer), ['output']);
  }
  const own = humanCause(error);
  if (own) return own;
  if (error instanceof ProtocolError) return agentError(agentName, method, error);
  if (error instanceof SdkHttpError) return httpError(agentName, method, error.status, error.data['text']);
  if (codeOf(error) === 'CONNECTION_CLOSED' || codeOf(error) === 'NOT_CONNECTED') {
    return goneBefore(agentName, how, method, error);
  }
  const words = oneLine(messageOf(error), 500);
  if (/\btext\/html\b/.test(words)) return webPage(agentName);
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

/** The URL leads to a web page: a site, its login page, or a proxy. */
function webPage(agent: string): HumanError {
  return new HumanError(
    t(
      'The `url` of {0} leads to a web page, not to an MCP server. Correct it in agentLogs.agents: most end in /mcp or /sse. If the page asks for a login, set the credentials in `headers`.',
      agent,
    ),
    ['settings', 'output'],
  );
}

/** An HTTP status that isn't a success (RFC 9110, section 15). */
function httpError(agent: string, method: string, status: number, body: unknown): HumanError {
  const remedies = ['settings', 'output'] as const;
  switch (status) {
    case 401:
      return new HumanError(
        t(
          '{0} requires authorization (HTTP 401). Set `headers` in agentLogs.agents, such as `"Authorization": "Bearer …"`.',
          agent,
        ),
        remedies,
      );
    case 403:
      return new HumanError(
        t('{0} refused access (HTTP 403). Check `headers` in agentLogs.agents: they may lack permissions.', agent),
        remedies,
      );
    case 404:
    case 405:
      return new HumanError(
        t(
          'There is no MCP server at the `url` of {0} (HTTP {1}). Correct it in agentLogs.agents: most end in /mcp or /sse.',
          agent,
          status,
        ),
        remedies,
      );
    default: {
      const text = typeof body === 'string' && /^\s*[^\s<]/.test(body) ? oneLine(body, 300) : '';
      return new HumanError(sentence(t('{0} answered {1} with HTTP {2}', agent, method, status), text), ['output']);
    }
  }
}
