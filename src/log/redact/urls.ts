import { masked, maskedEnd, maskedRest } from './marker';
import { isOpaque, isPlaceholder } from './ordinary';
import type { Span } from './span';
import { shapeAt } from './shapes';

/** Whether a character can be in a user's name or a password; `/`, `?`, `#`, quotes, brackets, white space and backslashes cannot. */
function isInside(code: number): boolean {
  return code > 32 && !outside.has(code);
}

const outside = new Set(Array.from(`"'<>\`\\/?#`, (char) => char.charCodeAt(0)));

const maxLength = 512;

/**
 * The password in `scheme://user:password@host`, or the token that stands for a user; `at` is where the `@` is. The slashes may be
 * escaped. (gitleaks and secretlint: basicauth, and their rules for connection strings)
 */
export function urlPassword(text: string, at: number): Span | undefined {
  let start = at;
  while (
    start > 0 &&
    at - start < maxLength &&
    text.charAt(start - 1) !== '@' &&
    isInside(text.charCodeAt(start - 1))
  ) {
    start--;
  }
  if (text.charAt(start - 1) !== '/') return undefined;
  if (!/[a-z][a-z0-9+.-]*:\\*\/\\*\/$/i.test(text.slice(Math.max(0, start - 24), start))) return undefined;
  const end = lastAt(text, at);
  const user = text.slice(start, end);
  const colon = user.indexOf(':');
  const from = colon < 0 ? start : start + colon + 1;
  const secret = text.slice(from, end);
  const shape = shapeAt(text, from);
  const label = masked(shape?.prefix);
  // Without a password the user's name is one only if it looks like that: git@host and a name do not.
  if (colon < 0) return isOpaque(secret) && secret.length >= 20 ? { start: from, end, text: label } : undefined;
  return isPlaceholder(secret) || maskedEnd(text, from) > 0 ? undefined : { start: from, end, text: label };
}

/** A password may have an `@` in it: the host begins after the last one. */
function lastAt(text: string, at: number): number {
  let last = at;
  for (let i = at + 1; i - at < maxLength && i < text.length && isInside(text.charCodeAt(i)); i++) {
    if (text.charAt(i) === ',') break;
    if (text.charAt(i) === '@') last = i;
  }
  return last;
}

/** RSA's, in base64 and escaped, have up to a thousand. */
const signature = /[A-Za-z0-9%+/=_-]{16,2048}/y;

/** The signature in the query of a URL that grants access by itself; `at` is where the `=` is. (gitleaks: azure; secretlint: azure) */
export function querySignature(text: string, at: number): Span | undefined {
  const name = /(?:[?&;]|u0026)(?:X-(?:Amz|Goog)-)?sig(?:nature)?$/i;
  if (!name.test(text.slice(Math.max(0, at - 24), at))) return undefined;
  signature.lastIndex = at + 1;
  return signature.test(text) ? { start: at + 1, end: signature.lastIndex, text: masked() } : undefined;
}

const webhook = /hooks\.slack\.com\\*\/(?:services|workflows|triggers)\\*\//y;
const webhookPath = /[\w+-]{4,}(?:\\*\/[\w+-]+)+/y;

/** The path of a Slack webhook; `at` is where the `k.` of its host is. (gitleaks: slack-webhook-url; secretlint: slack) */
export function webhookSecret(text: string, at: number): Span | undefined {
  webhook.lastIndex = at - 10;
  if (at < 10 || !webhook.test(text)) return undefined;
  const start = webhook.lastIndex;
  webhookPath.lastIndex = start;
  return webhookPath.test(text) ? { start, end: webhookPath.lastIndex, text: maskedRest } : undefined;
}

const hook = /webhooks\\*\/\d{8,24}\\*\//y;
const discord = /discord(?:app)?\.com\\*\/api\\*\/(?:v\d{1,2}\\*\/)?$/;
const hookToken = /[\w-]{32,}/y;

/** The token of a Discord webhook; `at` is where the `ks` of its path is. (gitleaks: discord; trufflehog: discordwebhook) */
export function discordSecret(text: string, at: number): Span | undefined {
  const path = at - 6;
  if (path < 0 || !discord.test(text.slice(Math.max(0, path - 40), path))) return undefined;
  hook.lastIndex = path;
  if (!hook.test(text)) return undefined;
  hookToken.lastIndex = hook.lastIndex;
  if (!hookToken.test(text)) return undefined;
  return { start: hook.lastIndex, end: hookToken.lastIndex, text: maskedRest };
}
