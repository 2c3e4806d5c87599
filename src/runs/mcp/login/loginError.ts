import { Redactor } from '../../../log/redact/redactor';
import { oneLine } from '../../../log/text';
import { objectOf, textOf } from '../../../protocols/json';
import { reasonOf } from '../../connection/unreachable';
import { HumanError, messageOf } from '../../humanError';
import { Cancelled } from '../../waiting';
import type { McpLibrary } from '../mcpError';

const settings = 'agentLogs.agents';

/** Why a login failed, for the user. Nothing that an authorization server says is trusted to be free of secrets. */
export function loginError(library: McpLibrary, agent: string, error: unknown): Error {
  if (error instanceof HumanError || error instanceof Cancelled) return error;
  if (isTimeout(error)) return new HumanError(`The login to ${agent} timed out.`, ['logIn']);
  if (error instanceof library.RegistrationRejectedError || /dynamic client registration/.test(messageOf(error))) {
    const said = error instanceof library.RegistrationRejectedError ? rejectionIn(error.body) : undefined;
    return new HumanError(
      `The login of ${agent} doesn't accept new clients${said === undefined ? '' : `: ${said}`}. ` +
        `Register one there, and set its ID as "oauth": { "clientId": "…" } in ${settings}.`,
      ['settings'],
    );
  }
  if (error instanceof library.IssuerMismatchError || error instanceof library.AuthorizationServerMismatchError) {
    return new HumanError(`The login to ${agent} was stopped: another server answered than the one that was asked.`);
  }
  if (error instanceof library.OAuthError && error.code === 'access_denied') {
    return new HumanError(`The login to ${agent} was denied.`, ['logIn']);
  }
  const why = error instanceof library.OAuthError ? `${error.message} (${error.code})` : reasonOf(error);
  return new HumanError(`Couldn't log in to ${agent}: ${shown(why)}`, ['logIn']);
}

/** True if the server may accept a loopback address instead of the editor's. */
export function wantsLoopback(library: McpLibrary, error: unknown): boolean {
  return error instanceof library.RegistrationRejectedError && error.status >= 400 && error.status < 500;
}

function rejectionIn(body: string): string | undefined {
  try {
    const { error, error_description: description } = objectOf(JSON.parse(body));
    const text = textOf(description) ?? textOf(error);
    return text === undefined ? undefined : shown(text).replace(/\.$/, '');
  } catch {
    return undefined;
  }
}

function shown(text: string): string {
  return oneLine(new Redactor().line(text), 300);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
