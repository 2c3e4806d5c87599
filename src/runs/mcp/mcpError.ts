import { oneLine } from '../../log/text';
import { agentError } from '../connection/agentError';
import { AgentGone, codeOf, HumanError, messageOf } from '../humanError';
import type { McpCall } from './mcpCalls';
import type * as library from './mcpLibrary';
import { Cancelled } from '../waiting';

/** The library is large, so it's loaded on first use. */
export type McpLibrary = typeof library;

export interface FailedMcpRequest {
  readonly agentName: string;
  readonly method: string;
  readonly error: unknown;
  readonly call?: McpCall;
  /** How the server ended, if it did. */
  readonly how: string;
  readonly library: McpLibrary;
}

/** Turns a failed request into a message for the user: what failed, and what to do about it. */
export async function mcpError({ agentName, method, error, call, how, library }: FailedMcpRequest): Promise<Error> {
  if (error instanceof Cancelled) return error;
  if (call?.cancelledByServer !== undefined) {
    const reason = call.cancelledByServer === '' ? '.' : `: ${call.cancelledByServer}`;
    return new HumanError(`${agentName} cancelled ${method}${reason}`, ['output']);
  }
  const told = humanCause(error);
  if (told) return told;
  if (error instanceof library.ProtocolError) return agentError(agentName, method, error);
  if (error instanceof library.SdkHttpError) return httpError(agentName, method, error.status, error.data['text']);
  if (codeOf(error) === 'CONNECTION_CLOSED' || codeOf(error) === 'NOT_CONNECTED') {
    return new AgentGone(`${agentName} ${how} before it answered ${method}.`, error);
  }
  const words = oneLine(messageOf(error), 500);
  if (/\btext\/html\b/.test(words)) return webPage(agentName);
  return new HumanError(`${agentName} could not be asked for ${method}: ${words}`, ['output']);
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
    `At the "url" of ${agent} is a web page, and no MCP server. Correct it in agentLogs.agents: most end in /mcp or /sse; or the page asks ` +
      'for a login, which goes into "headers".',
    ['settings', 'output'],
  );
}

/** An HTTP status that isn't a success (RFC 9110, section 15). */
function httpError(agent: string, method: string, status: number, body: unknown): HumanError {
  const remedies = ['settings', 'output'] as const;
  switch (status) {
    case 401:
      return new HumanError(
        `${agent} asks for authorization (HTTP 401). Put what it wants into "headers" in agentLogs.agents, such as ` +
          '"Authorization": "Bearer …".',
        remedies,
      );
    case 403:
      return new HumanError(
        `${agent} refuses access (HTTP 403). Look at "headers" in agentLogs.agents: what it got there is not enough.`,
        remedies,
      );
    case 404:
    case 405:
      return new HumanError(
        `There is no MCP server at the "url" of ${agent} (HTTP ${status}). Correct it in agentLogs.agents: most end in /mcp or /sse.`,
        remedies,
      );
    default: {
      const text = typeof body === 'string' && /^\s*[^\s<]/.test(body) ? `: ${oneLine(body, 300)}` : '.';
      return new HumanError(`${agent} answered ${method} with HTTP ${status}${text}`, ['output']);
    }
  }
}
