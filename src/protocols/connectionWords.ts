import { oneLine } from '../text/text';
import type { Words } from '../text/translator';
import { t, verbatim } from '../text/translator';
import type { Why } from '../wire/wireEvent';

export const untrusted = t("its certificate isn't trusted");
/** Node's error codes for certificates (https://nodejs.org/api/tls.html#x509-certificate-error-codes) that aren't valid for this host or time. */
const certificates: ReadonlyMap<string, Words> = new Map([
  ['CERT_HAS_EXPIRED', t('its certificate has expired')],
  ['CERT_NOT_YET_VALID', t("its certificate isn't valid yet")],
  ['ERR_TLS_CERT_ALTNAME_INVALID', t('its certificate is for another host')],
]);
const untrustedCodes =
  /^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER)|^CERT_(?:UNTRUSTED|REJECTED)$/;
/** OpenSSL's, for a server that doesn't use TLS. */
export const noTls = 'ERR_SSL_WRONG_VERSION_NUMBER';

const reasons: ReadonlyMap<string, Words> = new Map([
  ['ECONNREFUSED', t('the connection was refused')],
  ['ENOTFOUND', t('there is no such host')],
  ['EAI_AGAIN', t('there is no such host')],
  ['ECONNRESET', t('the connection was closed')],
  ['ETIMEDOUT', t('the connection timed out')],
  [noTls, t("it doesn't use TLS")],
]);

const ends: ReadonlyMap<string, Words> = new Map([
  ['unknown-session', t("the server doesn't know the session any more (HTTP 404)")],
  ['closed-stream', t('the server closed its event stream')],
  ['no-answer', t('the server ended the exchange without an answer')],
  ['closed-stdout', t('closed its standard output')],
]);
const withReason: ReadonlyMap<string, (reason: Words) => Words> = new Map([
  ['silent', (reason) => t('nothing answers any more: {0}', reason)],
  ['broken-answer', (reason) => t('the answer broke off: {0}', reason)],
  ['lost', (reason) => t('connection lost: {0}', reason)],
]);

export const losses = {
  unknownSession: ['unknown-session'],
  closedStream: ['closed-stream'],
  noAnswer: ['no-answer'],
  closedStdout: ['closed-stdout'],
  silent: (reason: Why): Why => ['silent', ...reason],
  brokenAnswer: (reason: Why): Why => ['broken-answer', ...reason],
  connection: (reason: Why): Why => ['lost', ...reason],
} as const;

/** What an error's code says about a certificate. */
export function certificateTrouble(code: string): Words | undefined {
  return certificates.get(code) ?? (untrustedCodes.test(code) ? untrusted : undefined);
}

/** What an error's code says, in a few words. */
export function reasonOfCode(code: string): Words | undefined {
  return certificateTrouble(code) ?? reasons.get(code);
}

/** In words. A text of a server or a library stays as it is. */
export function connectionWords([first = '', ...reason]: Why): Words {
  const wordsFor = reason.length === 0 ? undefined : withReason.get(first);
  return wordsFor?.(connectionWords(reason)) ?? ends.get(first) ?? reasonOfCode(first) ?? verbatim(oneLine(first, 300));
}

/** The words of an event. Journals of Agent Logs 0.3 have only its message, in English. */
export function wordsOfEvent({ why, message = '' }: { readonly why?: Why; readonly message?: string }): Words {
  return why ? connectionWords(why) : verbatim(oneLine(message, 300));
}
