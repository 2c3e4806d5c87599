import type { Words } from '../../log/translator';
import { t } from '../../log/translator';
import type { FailureClass } from '../../work/failures/failurePatterns';
import { htmlPage } from '../../work/failures/failurePatterns';

const advice: Readonly<Partial<Record<FailureClass, Words>>> = {
  'rate-limit': t('Wait, or use another model or account.'),
  network: t("Check this machine's network, proxy and base URL."),
  unavailable: t('The provider has a problem: try again later.'),
  'missing-executable': t("Install it, or add its folder to the agent's PATH."),
  model: t('Choose another model, or ask for access to this one.'),
  'context-length': t('Compact the conversation or start a new session.'),
};
const untrusted = t(
  "Check the clock and the proxy; if your network has its own certificate authority, add it to the agent's environment (`NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`).",
);
const ofCertificate =
  /\bcertificate|\bcert_|_cert_|_CERT\b|\bself[- ]signed\b|\bx509\b|\bPKIX\b|UnknownIssuer|UNABLE_TO_(?:VERIFY|GET_ISSUER)/i;
const behindProxy = t('A proxy or firewall answered instead of the provider: check the network, proxy and base URL.');

/**
 * What to do about a failure, unless the agent's message already says it.
 * @param words the agent's message
 */
export function adviceFor(failure: FailureClass, words = ''): Words | undefined {
  if (/\b(?:install it|please install|npm install|pip install|brew install)\b/i.test(words)) return undefined;
  if (failure !== 'network') return advice[failure];
  if (htmlPage.test(words)) return behindProxy;
  return ofCertificate.test(words) ? untrusted : advice.network;
}
