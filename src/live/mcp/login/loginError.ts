import { connectionWords } from '../../../protocols/connectionWords';
import {
  AuthorizationServerMismatchError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { mapArgs, t, verbatim } from '../../../text/translator';
import { Redactor } from '../../../redact/redactor';
import { oneLine } from '../../../text/text';
import { objectOf, textOf } from '../../../text/json';
import { jsonValueOf } from '../../../wire/jsonValue';
import { reasonOf } from '../../connection/unreachable';
import { HumanError, messageOf } from '../../../text/humanError';
import { Cancelled } from '../../../time/waiting';
import { RefusedAddress } from '../../addresses';

/** Why a login failed, for the user. Nothing that an authorization server says is trusted to be free of secrets. */
export function loginError(agent: string, error: unknown): Error {
  if (error instanceof HumanError || error instanceof Cancelled) return error;
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new HumanError(t('The login to {0} timed out.', agent), ['logIn']);
  }
  if (error instanceof RegistrationRejectedError || /dynamic client registration/.test(messageOf(error))) {
    const reason = error instanceof RegistrationRejectedError ? rejectionIn(error.body) : undefined;
    const what = t("The login of {0} doesn't accept new clients", agent);
    const advice = t('Register one there, and set its ID as `"oauth": { "clientId": "…" }` in agentLogs.agents.');
    return new HumanError(t('{0}. {1}', reason === undefined ? what : t('{0}: {1}', what, reason), advice), [
      'settings',
    ]);
  }
  if (error instanceof RefusedAddress) {
    const place = shown(error.place);
    return new HumanError(
      t(
        'The login to {0} was stopped: it leads to {1}, an address that only this machine or network can reach.',
        agent,
        place,
      ),
    );
  }
  if (error instanceof AuthorizationServerMismatchError) {
    const [known, current] = [shown(error.recordedIssuer), shown(error.currentIssuer)];
    return new HumanError(
      t(
        '{0} now wants a login at {1} instead of {2}. If that is right, log out, then log in again.',
        agent,
        current,
        known,
      ),
    );
  }
  if (error instanceof IssuerMismatchError) {
    return new HumanError(t('The login to {0} was stopped: another server than the requested one answered.', agent));
  }
  if (error instanceof OAuthError && error.code === 'access_denied') {
    return new HumanError(t('The login to {0} was denied.', agent), ['logIn']);
  }
  const why =
    error instanceof OAuthError ? verbatim(`${error.message} (${error.code})`) : connectionWords(reasonOf(error));
  return new HumanError(t("Couldn't log in to {0}: {1}", agent, mapArgs(why, shown)), ['logIn']);
}

/** True if the server may accept a loopback address instead of the editor's. */
export function wantsLoopback(error: unknown): boolean {
  return error instanceof RegistrationRejectedError && error.status >= 400 && error.status < 500;
}

function rejectionIn(body: string): string | undefined {
  const { error, error_description: description } = objectOf(jsonValueOf(body).msg);
  const text = textOf(description) ?? textOf(error);
  return text && shown(text).replace(/\.$/, '');
}

function shown(text: string): string {
  return oneLine(new Redactor().line(text), 300);
}
