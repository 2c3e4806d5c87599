import type { FailureClass } from './failurePatterns';
import { failurePatterns, htmlPage, isNamed } from './failurePatterns';

/** Only the first characters of a text are classified. */
const maxText = 4000;
/** A message without a reason. */
export const generic = /^\W*(?:(?:(?:internal|server|unknown|unexpected) )*(?:error|failure)\W*)?$/i;

/** By HTTP status. */
export const classOfStatus: ReadonlyMap<number, FailureClass> = new Map([
  [401, 'authentication'],
  [402, 'rate-limit'],
  [403, 'authentication'],
  [407, 'proxy'],
  [408, 'network'],
  [413, 'context-length'],
  [429, 'rate-limit'],
  [503, 'overloaded'],
  [529, 'overloaded'],
  // The last four are Cloudflare's.
  ...[500, 502, 504, 520, 521, 522, 524].map((status) => [status, 'unavailable'] as const),
]);
/** A number counts as a status only next to a word that says so. */
const statusInText =
  /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?:[ _]?code)?|(?:API |error )?error(?: code)?|code|returned|response|(?:answered|replied|responded|failed)(?: with)?|client error)["']?\s*[:=(]*\s*["'(]*([45]\d\d)\b|^\W*([45]\d\d)(?=[\s:{]|$)|[( ]([45]\d\d) (?:Unauthorized|Payment Required|Forbidden|Proxy Auth|Too Many|Internal Server|Bad Gateway|Service Unavailable|Gateway Time)|: ([45]\d\d) (?=\p{L})/iu;
const looseStatus =
  /(?<!\b(?:lines?|ports?|rows?|columns?|of|id|#)\W{0,2})(?<![\w.:/-])([45]\d\d)(?=[\s:)\],;.]|$)(?!\.\d)/i;

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

/** The HTTP status in a text. */
function statusIn(text: string): number | undefined {
  const found = statusInText.exec(text);
  if (!found) return undefined;
  return Number([...found].slice(1).find(Boolean));
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
