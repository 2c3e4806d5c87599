import type { Words } from '../text/translator';
import { t, verbatim } from '../text/translator';

// Why a connection failed or ended. Events say it in English, because journals are read in any language; `connectionWords` makes it translatable again.

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

export const losses = {
  unknownSession: t("the server doesn't know the session any more (HTTP 404)"),
  closedStream: t('the server closed its event stream'),
  noAnswer: t('the server ended the exchange without an answer'),
  silent: (reason: Words): Words => t('nothing answers any more: {0}', reason),
  brokenAnswer: (reason: Words): Words => t('the answer broke off: {0}', reason),
  connection: (reason: Words): Words => t('connection lost: {0}', reason),
};

const whole: ReadonlyMap<string, Words> = new Map(
  [
    losses.unknownSession,
    losses.closedStream,
    losses.noAnswer,
    untrusted,
    ...certificates.values(),
    ...reasons.values(),
  ].map((words) => [words.text, words]),
);
const withReason = [losses.silent, losses.brokenAnswer, losses.connection];

/** What an error's code says about a certificate. */
export function certificateTrouble(code: string): Words | undefined {
  return certificates.get(code) ?? (untrustedCodes.test(code) ? untrusted : undefined);
}

/** What an error's code says, in a few words. */
export function reasonOfCode(code: string): Words | undefined {
  return certificateTrouble(code) ?? reasons.get(code);
}

/** The words of an event's message; a message of a server or a library stays as it is. */
export function connectionWords(message: string): Words {
  const known = whole.get(message);
  if (known) return known;
  for (const wordsFor of withReason) {
    const { text } = wordsFor(verbatim(''));
    const beginning = text.slice(0, -'{0}'.length);
    if (message.startsWith(beginning)) return wordsFor(connectionWords(message.slice(beginning.length)));
  }
  return verbatim(message);
}
