/** A longer text is an answer, not an error. */
const maxErrorText = 600;

const beginnings = [
  // Error: …, API Error: …, Internal server error, Error 500: …, TypeError: …
  '(?:(?:API|Internal|Server|Request|Connection|Network|Provider|Model|Stream|Unknown|Unexpected|Fatal) ){0,2}Error(?: code)?(?:\\s*[:)\\]*]|\\s+\\d{3}(?:[:.,)]|\\s*$|\\s+[{"(]))',
  'Internal (?:server )?error\\b',
  'Request (?:failed|timed out)',
  'Failed (?:to|after)\\b',
  "(?:Could not|Couldn['’]t|Cannot|Unable to) (?:connect|reach|authenticate)",
  '(?:Unexpected status|HTTP|Bad response:?) \\d{3}\\b',
  'stream (?:error|disconnected)',
  'Not logged in',
  'Please (?:log ?in|sign ?in|run [`"]?(?:/login|\\S+ (?:auth|login)))\\b',
  'Authentication (?:required|failed|error)',
  'Unauthori[sz]ed\\b',
  'Invalid (?:API|x-api) key',
  '(?:Rate|Usage|Request|Quota) (?:limit )?(?:reached|exceeded|hit)',
  'Too many requests',
  "You(?:['’]ve| have) (?:hit|reached|exceeded|run out of) (?:your|the) (?:[\\w-]+ ){0,3}(?:limits?|quota|credits?|usage)\\b",
  'Credit balance is too low',
  'Service (?:is )?(?:temporarily |currently )?unavailable',
  "We(?:['’]re| are) (?:currently )?experiencing",
  'An? (?:unexpected |internal |API )?error (?:has )?occurred',
  '(?:The )?(?:model|server|provider|service|API) (?:is )?(?:currently |temporarily )?(?:overloaded|unavailable|returned an error)',
];

/** How errors begin that agents show as if the model had said them; marks and pictures may stand before them. */
const beginning = new RegExp(`^[^\\p{L}\\d]{0,10}(?:${beginnings.join('|')})`, 'iu');

/** How an answer may begin too that explains an error. */
const named = /^[^\p{L}\d]{0,10}[A-Z]\w*(?:Error|Exception):/u;

/** Whether the whole of what an agent said in a turn reads like an error, not like an answer; `perhaps` where both begin so. */
export function readsLikeError(text: string): 'yes' | 'perhaps' | 'no' {
  if (text.length > maxErrorText) return 'no';
  if (beginning.test(text)) return 'yes';
  return named.test(text) ? 'perhaps' : 'no';
}
