import type { Words } from '../../log/translator';
import { t, verbatim } from '../../log/translator';
import { oneLine } from '../../log/text';
import { codeOf, HumanError, messageOf } from '../humanError';

const untrusted = t("its certificate isn't trusted");
/** Node's error codes for certificates (https://nodejs.org/api/tls.html#x509-certificate-error-codes) that aren't valid for this host or time. */
const certificates: ReadonlyMap<unknown, Words> = new Map([
  ['CERT_HAS_EXPIRED', t('its certificate has expired')],
  ['CERT_NOT_YET_VALID', t("its certificate isn't valid yet")],
  ['ERR_TLS_CERT_ALTNAME_INVALID', t('its certificate is for another host')],
]);
const untrustedCodes =
  /^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER)|^CERT_(?:UNTRUSTED|REJECTED)$/;

const reasons: ReadonlyMap<unknown, Words> = new Map([
  ['ECONNREFUSED', t('the connection was refused')],
  ['ENOTFOUND', t('there is no such host')],
  ['ECONNRESET', t('the connection was closed')],
]);

/** Why there was no response, in a few words, from the error, its cause, or one of several. */
export function reasonOf(error: unknown): Words {
  const cause = causeOf(error);
  const certificate = certificateTrouble(cause);
  if (certificate) return certificate;
  if (hasNoTls(cause)) return t("it doesn't use TLS");
  return reasons.get(codeOf(cause)) ?? verbatim(oneLine(messageOf(cause), 300));
}

/** The error for a request without a response, with a remedy. */
export function unreachable(agentName: string, { origin, pathname }: URL, error: unknown): HumanError {
  return new HumanError(describe(agentName, origin + pathname, error), ['settings', 'output']);
}

function describe(agentName: string, place: string, error: unknown): Words {
  const [cause, reason] = [causeOf(error), reasonOf(error)];
  const certificate = certificateTrouble(cause);
  if (certificate) {
    const what = t("The server at {0} can't be trusted: {1}.", place, reason);
    if (certificate !== untrusted) return what;
    return t('{0} Add the certificate authority that signed it to those that the system trusts.', what);
  }
  if (hasNoTls(cause)) return t('There is no TLS at {0}. Use http:// in the `url` of {1}.', place, agentName);
  return t(
    'No response from {0}: {1}. Check that {2} runs there, and its `url` in agentLogs.agents.',
    place,
    reason,
    agentName,
  );
}

function certificateTrouble(cause: unknown): Words | undefined {
  const code = codeOf(cause);
  const isUntrusted = typeof code === 'string' && untrustedCodes.test(code);
  return certificates.get(code) ?? (isUntrusted ? untrusted : undefined);
}

function hasNoTls(cause: unknown): boolean {
  return /\bwrong[ _]version[ _]number\b/i.test(messageOf(cause));
}

function causeOf(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < 5; depth++) {
    const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause.cause];
    if (!(first instanceof Error)) break;
    cause = first;
  }
  return cause;
}
