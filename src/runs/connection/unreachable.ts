import { oneLine } from '../../log/text';
import { codeOf, HumanError, messageOf } from '../humanError';

const untrusted = 'is not trusted';
/** Node's error codes for certificates (https://nodejs.org/api/tls.html#x509-certificate-error-codes) that aren't valid for this host or time. */
const certificates: ReadonlyMap<unknown, string> = new Map([
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another host'],
]);
const untrustedCodes =
  /^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER)|^CERT_(?:UNTRUSTED|REJECTED)$/;

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'there is no such host'],
  ['ECONNRESET', 'the connection was closed'],
]);

/** Why there was no response, in a few words, from the error, its cause, or one of several. */
export function reasonOf(error: unknown): string {
  const cause = causeOf(error);
  const certificate = certificateTrouble(cause);
  if (certificate !== undefined) return `its certificate ${certificate}`;
  if (hasNoTls(cause)) return 'it speaks no TLS';
  return reasons.get(codeOf(cause)) ?? oneLine(messageOf(cause), 300);
}

/** The error message for a request without a response, with a remedy. */
export function unreachable(agentName: string, url: URL, error: unknown): HumanError {
  return new HumanError(describe(agentName, `${url.origin}${url.pathname}`, error), ['settings', 'output']);
}

function describe(agentName: string, place: string, error: unknown): string {
  const [cause, reason] = [causeOf(error), reasonOf(error)];
  const certificate = certificateTrouble(cause);
  if (certificate !== undefined) {
    const isOurs = certificate === untrusted;
    const help = isOurs ? ' Add the authority that signed it to those of the system that VS Code runs on.' : '';
    return `The server at ${place} cannot be trusted: ${reason}.${help}`;
  }
  if (hasNoTls(cause)) return `There is no TLS at ${place}: write http:// in the "url" of ${agentName}.`;
  return `Nothing answers at ${place}: ${reason}. Is ${agentName} running there? Its "url" is in agentLogs.agents.`;
}

function certificateTrouble(cause: unknown): string | undefined {
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
