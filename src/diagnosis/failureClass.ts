import type { RpcError } from '../protocols/jsonrpc/rpcError';

/** What kind of failure an error's text tells of, as far as its words go. */
export type FailureClass = 'authentication' | 'rate-limit' | 'missing-executable' | 'network' | 'other';

const authentication =
  /\b(?:auth(?:entication|orization)? (?:is )?(?:required|failed|error)|not (?:logged|signed) (?:in(?:to)?|on)|not authenticated|NotSignedIn|unauthori[sz]ed|unauthenticated|authentication_(?:failed|error)|invalid[ _](?:x-)?api[ _-]?key|(?:api[ _-]?key|credentials?|(?:access )?token) (?:is |are |was |has |have )?(?:missing|not (?:set|found|configured|provided)|required|invalid|expired|incorrect)|(?:missing|no|incorrect) (?:api[ _-]?key|credentials)|(?:please )?(?:log|sign) ?in (?:first|to |again)|login required|please run \/login|session (?:has )?expired)\b/i;
const rateLimit =
  /\b(?:rate[ _-]?limit(?:s|ed|ing|_error|_exceeded)?|too many requests|RESOURCE_EXHAUSTED|(?:usage|request|token|quota) limit|(?<!\bdisk )quota (?:exceeded|exhausted)|exceeded (?:your|the) (?:current )?quota|insufficient_quota|overloaded(?:_error)?|(?:hit|reached) your (?:\w+ )?limit|credit balance is too low|(?:status|error|code|http)[ :=]*(?:429|529))\b/i;
const missing =
  /\b(?:ENOENT\b(?=.*\bspawn\b)|spawn \S+ ENOENT|executable (?:file )?not found|command not found|is not recognized as an internal or external command|(?:program|binary|executable|command) ["'`]?[^"'`]{0,100}["'`]? ?(?:was |is |could )?not (?:be )?(?:found|installed)|(?:needs? to|must) be installed|no such file or directory \(os error 2\))/i;
const network =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fetch failed|unable to connect|connection (?:error|refused|reset|timed out|closed)|network (?:error|is unreachable)|transport error|getaddrinfo|stream disconnected)\b/i;

/** What a text tells of. */
export function classOfText(text: string): FailureClass {
  const head = text.slice(0, 4000);
  if (missing.test(head)) return 'missing-executable';
  if (authentication.test(head)) return 'authentication';
  if (rateLimit.test(head)) return 'rate-limit';
  return network.test(head) ? 'network' : 'other';
}

/**
 * What an error tells of.
 * @param authCode the protocol's own code for it, where it has one
 */
export function classOfError({ code, message, data }: RpcError, authCode: number | undefined): FailureClass {
  if (typeof data === 'object' && data !== null && 'code' in data && data.code === 'ENOENT') {
    return /\b(?:start|spawn|executable|install|command)\b/i.test(message) ? 'missing-executable' : 'other';
  }
  if (code !== undefined && code === authCode) return 'authentication';
  return classOfText(message);
}

/**
 * What to do about it, where the agent's own words do not say.
 * @param words what the agent says of it
 */
export function adviceFor(failure: FailureClass, words = ''): string | undefined {
  if (/\b(?:install it|please install|npm install|pip install|brew install)\b/i.test(words)) return undefined;
  switch (failure) {
    case 'rate-limit':
      return 'Wait for a while, or use another model or account.';
    case 'network':
      return "Look whether this machine reaches the model's provider (network, proxy, base URL).";
    case 'missing-executable':
      return 'Install it, or put its folder on the PATH that the agent is started with.';
    default:
      return undefined;
  }
}
