import type { Words } from '../../log/translator';
import { t } from '../../log/translator';
import { arrayOf, isObject, objectOf } from '../../protocols/json';
import { loginRequired } from '../../protocols/jsonrpc/errorCodes';
import type { RpcError } from '../../protocols/jsonrpc/rpcError';
import type { Conversation } from '../conversation/conversation';
import { opensSession } from '../conversation/conversation';
import type { FailureClass } from './failurePatterns';
import { concrete, failurePatterns, htmlPage, isNamed } from './failurePatterns';

/** Only the first characters of a text are classified. */
const maxText = 4000;
const maxDepth = 4;
const maxWords = 60;
/** A message without a reason. */
export const generic = /^\W*(?:(?:(?:internal|server|unknown|unexpected) )*(?:error|failure))?\W*$/i;

const classOfStatus: ReadonlyMap<number, FailureClass> = new Map([
  [401, 'authentication'],
  [402, 'rate-limit'],
  [403, 'authentication'],
  [407, 'network'],
  [408, 'network'],
  [413, 'context-length'],
  [429, 'rate-limit'],
  [529, 'rate-limit'],
  // The last four are Cloudflare's.
  ...[500, 502, 503, 504, 520, 521, 522, 524].map((status) => [status, 'unavailable'] as const),
]);
/** Requests that need the model's provider or an account. */
const vital: ReadonlySet<string> = new Set(['session/prompt', 'session/new']);
/** A number counts as a status only next to a word that says so. */
const statusInText =
  /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?:[ _]?code)?|(?:API |error )?error(?: code)?|code|returned|response|failed(?: with)?|client error)["']?\s*[:=(]*\s*["'(]*([45]\d\d)\b|^\W*([45]\d\d)(?=[\s:{]|$)|[( ]([45]\d\d) (?:Unauthorized|Payment Required|Forbidden|Proxy Auth|Too Many|Internal Server|Bad Gateway|Service Unavailable|Gateway Time)|: ([45]\d\d) (?=\p{L})/iu;
const looseStatus =
  /(?<!\b(?:lines?|ports?|rows?|columns?|of|id|#)\W{0,2})(?<![\w.:/-])([45]\d\d)(?=[\s:)\],;.]|$)(?!\.\d)/i;
const statusField = /^(?:https?_?)?(?:status(?:_?code)?|error_?status|http_?status_?code|code)$/i;

/** Classifies a text by its words and by the HTTP status in it. */
export function classOfText(text: string): FailureClass {
  const head = text.slice(0, maxText);
  if (htmlPage.test(head)) return 'network';
  const found = failurePatterns.find(([, pattern]) => pattern.test(head) && !isNamed(head, pattern));
  return found?.[0] ?? classOfStatus.get(statusIn(head) ?? 0) ?? 'other';
}

/** Classifies a text that is known to report why something failed. Its words needn't show that it is a failure. */
export function classOfFailure(text: string): FailureClass {
  const found = classOfText(text);
  if (found !== 'other') return found;
  const head = text.slice(0, maxText);
  const [, status] = looseStatus.exec(head) ?? [];
  return classOfStatus.get(Number(status)) ?? classByConcepts(head);
}

/**
 * Classifies an error response: by its message first, then by its data and the HTTP status in it, and by its code last.
 * @param method the request's
 */
export function classOfError(error: RpcError, method: string, conversation: Conversation): FailureClass {
  const found = classOfParts(error);
  if (found !== 'other') return found;
  const byConcepts = vital.has(method) ? classOfFailure([error.message, ...wordsIn(error.data)].join(' ')) : 'other';
  return byConcepts === 'other' && isLoginCode(error, method, conversation) ? 'authentication' : byConcepts;
}

/**
 * Whether the code means "log in first" (ACP). It is also the first of the codes that JSON-RPC leaves to each server, and is used as such. So it
 * counts only if the message says nothing, or if the agent offers ways to log in and hasn't opened a session yet.
 */
function isLoginCode({ code, message, data }: RpcError, method: string, conversation: Conversation): boolean {
  if (conversation.protocol !== 'acp' || code !== loginRequired || concrete.test(message)) return false;
  if (generic.test(message) || arrayOf(objectOf(data)['authMethods']).length > 0) return true;
  const offersLogin = arrayOf(conversation.initializeResult?.['authMethods']).length > 0;
  return offersLogin && opensSession(method) && !conversation.hasOpenedSession;
}

function classOfParts({ message, data }: RpcError): FailureClass {
  if (isObject(data) && data['code'] === 'ENOENT') {
    return /\b(?:start|spawn|executable|install|command)\b/i.test(message) ? 'missing-executable' : 'other';
  }
  const ofWords = classOfText(message);
  // "Provider returned error" doesn't say why.
  if (ofWords !== 'other' && ofWords !== 'unavailable') return ofWords;
  const parts = partsOf(data);
  const ofData = classOfText(parts.words.join(' '));
  if (ofData !== 'other') return ofData;
  return parts.statuses.map((status) => classOfStatus.get(status)).find((one) => one !== undefined) ?? ofWords;
}

/** The HTTP status in a text. */
function statusIn(text: string): number | undefined {
  const found = statusInText.exec(text);
  if (!found) return undefined;
  return Number([...found].slice(1).find(Boolean));
}

/** The texts in an error's data. */
export function wordsIn(data: unknown): readonly string[] {
  return partsOf(data).words;
}

/** The texts in an error's data, and the HTTP statuses among its fields. */
function partsOf(data: unknown): { readonly words: readonly string[]; readonly statuses: readonly number[] } {
  const words: string[] = [];
  const statuses: number[] = [];
  const visit = (value: unknown, name: string, depth: number): void => {
    if (words.length >= maxWords || depth > maxDepth) return;
    if (typeof value === 'string' && name !== 'stack') words.push(value.slice(0, 500));
    else if (typeof value === 'number' && statusField.test(name)) statuses.push(value);
    else if (Array.isArray(value)) for (const one of value.slice(0, 10)) visit(one, name, depth + 1);
    else if (isObject(value)) {
      for (const [field, one] of Object.entries(value).slice(0, 30)) visit(one, field, depth + 1);
    }
  };
  visit(data, '', 0);
  return { words, statuses };
}

const advice: Readonly<Partial<Record<FailureClass, Words>>> = {
  'rate-limit': t('Wait, or use another model or account.'),
  network: t("Check this machine's network, proxy and base URL."),
  unavailable: t('The provider has a problem: try again later.'),
  'missing-executable': t("Install it, or add its folder to the agent's PATH."),
  model: t('Choose another model, or ask for access to this one.'),
  'context-length': t('Compact the conversation or start a new session.'),
};
const behindProxy = t('A proxy or firewall answered instead of the provider: check the network, proxy and base URL.');

/**
 * What to do about a failure, unless the agent's message already says it.
 * @param words the agent's message
 */
export function adviceFor(failure: FailureClass, words = ''): Words | undefined {
  if (/\b(?:install it|please install|npm install|pip install|brew install)\b/i.test(words)) return undefined;
  return failure === 'network' && htmlPage.test(words) ? behindProxy : advice[failure];
}

/** A text is about this failure if it has a word for the thing and one for what is wrong with it, in any order. */
interface Concept {
  readonly failure: FailureClass;
  readonly thing: RegExp;
  readonly trouble: RegExp;
}

/** The agent's own data and code: no failure of its provider. */
const local =
  /\b(?:\w*(?:Type|Reference|Key|Range|Syntax|Index|Value|Assertion)Error|assertion|JSON|parse|schema|patch|hunk|files?|directory|settings|config\w*|images?|field|hooks?|cwd|edit(?:s|ing)?|arguments?|cursor|disk|database|user input|must contain|(?:prompt|input) is required)\b/i;

/** The first that fits decides. Messages in other languages have many of these words, too. */
const concepts: readonly Concept[] = [
  {
    failure: 'policy',
    thing: /\b(?:polic(?:y|ies)|safety|moderation)\b/i,
    trouble: /\b(?:blocked|refused|violat\w*|rejected|declined)\b/i,
  },
  {
    failure: 'context-length',
    thing:
      /\b(?:tokens|context(?: ?window| length|_length)?|prompt|conversation|chat history|history)\b|ContextWindow/i,
    trouble:
      /\b(?:too (?:long|large|many)|exceed\w*|max(?:imum|imale)?|limits?|larger than|longer than|more than|less than|full|grown|not enough|demasiado)\b|Exceeded/i,
  },
  {
    failure: 'rate-limit',
    thing:
      /\b(?:quota|credits?|credit card|billing|payment|subscription|trial|balance|usage|capacity|concurrency|traffic|attempts|cap|tier|(?:paid|your) plan|(?:fast|premium) requests|polling)\b|queue_exceeded/i,
    trouble:
      /\b(?:limit\w*|exceed\w*|reached|exhausted|used|required?|ended|expired|low|high|unusual|declined|enough|max|hit|overdue|negative|too (?:many|frequently)|upgrade|(?:run )?out of|left)\b/i,
  },
  {
    failure: 'model',
    thing: /\bmodels?\b/i,
    trouble:
      /\b(?:access|deprecated|unsupported|(?:not|isn['’]t) (?:downloaded|pulled|installed|loaded)|paid|no longer|requires? (?:an?|more)|shut down|unable to load)\b/i,
  },
  {
    failure: 'authentication',
    thing:
      /\b(?:log-?ins?|sign-?ins?|log(?:ged)? in|sign(?:ed)? in|authenticat\w*|authori[sz]ation|credentials?|keychain|(?:access|refresh|bearer|id) tokens?|token provided|jwt|api[- ]?keys?|password|sso|oauth|device code)\b|login_/i,
    trouble:
      /\b(?:expired?|invalid|missing|required?|needed|failed|denied|wrong|bad(?:ly)?|incorrect|no|not|please|must|lacks?|again|first|revoked|disabled|deleted|cannot)\b|_required/i,
  },
  {
    failure: 'unavailable',
    thing: /\b(?:servers?|service|provider|api|backend|upstream)\b/i,
    trouble: /\b(?:(?<!shut )down|maintenance|unavailable|issues|trouble|(?:returned|status) 5\d\d)\b/i,
  },
  {
    failure: 'network',
    thing:
      /\b(?:network|internet|dns|proxy|tls|ssl|gnutls|handshake|fetch|certificate|socket|connect(?:ion|ing)?|verbindung|host(?:name)?|remote name|server|stream|dial\w*|transport|tcp|rpc|operation|execution|request|response)\b|TransportError|::\w*Timeout\b/i,
    trouble:
      /\b(?:time(?:d)?[- ]?out|timeout|refused|reset|closed|dropped|lost|unreachable|reach|offline|(?<!shut )down|blocked|ended unexpectedly|interrupted|unterbrochen|terminated|error while|lookup failed|handshake failed|failed to fetch|not be resolved|no (?:internet|network|connection|route|response)|check your)\b|execution expired|\brecv error/i,
  },
  { failure: 'unavailable', thing: /\boutage\b/i, trouble: /\b(?:outage|unavailable)\b/i },
  { failure: 'network', thing: /\boffline\b/i, trouble: /\b(?:you|machine|computer|appear)\b/i },
];

/** What a text is about that is known to report a failure: of the model's provider, or of the way to it. */
function classByConcepts(text: string): FailureClass {
  if (local.test(text)) return 'other';
  return concepts.find(({ thing, trouble }) => thing.test(text) && trouble.test(text))?.failure ?? 'other';
}
