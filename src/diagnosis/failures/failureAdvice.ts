import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type { FailureClass } from '../../work/failures/failurePatterns';
import { htmlPage } from '../../work/failures/failurePatterns';
import type { Conversation } from '../conversation/conversation';
import { installCommandIn } from '../../agents/installs';
import { loginAdvice } from './loginAdvice';
import { refusedToolAdvice } from './calls/refusedTool';
import { peer } from '../../protocols/terms';

const advice: Readonly<Partial<Record<FailureClass, Words>>> = {
  certificate: t(
    'If your network has its own certificate authority, add its root to the environment (`NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`); otherwise check the clock and the proxy.',
  ),
  clock: t("Set this machine's clock; a virtual machine or WSL may have slept."),
  proxy: t('Check the proxy: its address and login are in `HTTPS_PROXY`, exceptions in `NO_PROXY`.'),
  dns: t('Check DNS, VPN and proxy, and the host name in the base URL.'),
  'disk-full': t('Free some disk space, also in the home folder and for temporary files.'),
  'out-of-memory': t(
    'Give the process more memory, such as with `NODE_OPTIONS=--max-old-space-size=4096`, or start a new session.',
  ),
  'rate-limit': t('Wait, or use another model or account.'),
  'mcp-server': t('Restart the {0}; if the server ends again, run its command in a terminal to see why.', peer),
  network: t("Check this machine's network, proxy and base URL."),
  overloaded: t('The provider is overloaded: try again later, or use another model.'),
  unavailable: t('The provider has a problem: try again later.'),
  'missing-executable': t('Install it, or add its folder to the PATH.'),
  model: t('Choose another model, or ask for access to this one.'),
  history: t(
    'The conversation is damaged, such as by a tool call without its result, and further turns will fail, too: resume from before it, or start a new session.',
  ),
  'context-length': t('Compact the conversation or start a new session.'),
};
const otherSessions = t(
  'It may be of another folder, account or machine, or deleted. Run **Agent Logs: Open Saved Session…** for the sessions of this folder.',
);
export const thrashingAdvice = t(
  'Start a new session, clear the output of tools, or use fewer MCP servers: what compacting leaves nearly fills the context.',
);
/** Waiting doesn't help. */
const ofAccount =
  /\binsufficient_quota|\bbilling|\bpayment|\b(?:credits?|balance|funds|budget)\b|\bcurrent quota\b|\bspend\w* (?:limit|cap)/i;
const paid = t('Add credits or raise the limit of the account, or use another one.');
const asItSays = t('Install it as the {0} says above, then restart it.', peer);
const behindProxy = t('A proxy or firewall answered instead of the provider: check the network, proxy and base URL.');

/**
 * What to do about a failure, unless the agent's message already says it.
 * @param words the agent's message
 * @param data the error's data
 */
export function adviceOn(
  failure: FailureClass,
  words: string,
  conversation: Conversation,
  data?: unknown,
): Words | undefined {
  switch (failure) {
    case 'authentication':
      return loginAdvice(conversation, words, data);
    case 'tool-schema':
      return refusedToolAdvice(words, conversation);
    case 'no-session':
      return conversation.protocol === 'mcp' ? undefined : otherSessions;
    case 'missing-executable':
      // Nothing is installed on another machine.
      return conversation.isRemote ? undefined : adviceFor(failure, words);
    default:
      return adviceFor(failure, words);
  }
}

/**
 * What to do about a failure that needs no more than its own words.
 * @param words the agent's message
 */
export function adviceFor(failure: FailureClass, words = ''): Words | undefined {
  const install = failure === 'missing-executable' ? installCommandIn(words) : undefined;
  if (install !== undefined) return t('The {1} says to run `{0}`: check that, then restart the {1}.', install, peer);
  if (/\b(?:install it|please install|npm install|pip install|brew install)\b/i.test(words)) return asItSays;
  if (failure === 'context-length' && tellsOfThrashing(words)) return thrashingAdvice;
  if (failure === 'network' && htmlPage.test(words)) return behindProxy;
  return failure === 'rate-limit' && ofAccount.test(words) ? paid : advice[failure];
}

/** Whether Claude Code says that compacting no longer helps. */
export function tellsOfThrashing(words: string): boolean {
  return /\b(?:auto-?)?compact(?:ion|ing)? (?:is|keeps) thrashing\b/i.test(words.slice(0, 2000));
}
