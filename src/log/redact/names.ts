/**
 * What the name of a value says about it. A `key` or `token` has no spaces, a `password` or `secret` may; `authorization` has a scheme;
 * a `plain token` is just `token`, which is also what parsers and language models call a word. What a `perhaps key` names is one only where it
 * looks like one.
 */
export type SecretKind =
  'authorization' | 'cookie' | 'key' | 'perhaps key' | 'password' | 'plain token' | 'secret' | 'token';

/** The words of a name in camelCase, snake_case, kebab-case or capitals. */
const word = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/** Words after the one that counts: `API_KEY_PROD`, `tokenValue`, `password2`. */
const suffix = new Set(
  'value raw string text plain plaintext base64 b64 encoded header prod production dev development test testing staging live sandbox old new current previous primary secondary backup default hash main admin user'.split(
    ' ',
  ),
);

/** What is before `key` where it is a secret: `public`, `cache`, `primary`, `sort` and hundreds more are not. */
const secretKeys = new Set(
  'api access secret private auth authentication authorization encryption signing signature master shared account subscription service role client storage deploy license openai anthropic claude gemini google azure groq mistral cohere hf huggingface xai grok deepseek openrouter together fireworks perplexity replicate cerebras stripe sendgrid mailgun twilio github gitlab slack jwt hmac aes rsa ssh tls ssl pgp gpg'.split(
    ' ',
  ),
);

/** What is before `KEY` in the name of a variable where it is no secret. Others may be vendors: `LINEAR_KEY`. */
const otherKeys = new Set(
  'public pub cache primary foreign partition sort range row hash unique composite index group routing lookup search idempotency dedup dedupe object s3 bucket blob registry reg hkey translation i18n message topic host known project issue jira pk fk hot press shortcut modifier ctrl alt shift escape enter arrow map dict json item feature flag config setting settings env session state store site build run test id gpg pgp ssh'.split(
    ' ',
  ),
);

/** What is before `token` where it is a unit of text, a mark of a place in a list or the handle of a progress: not a secret. */
const otherTokens = new Set(
  'progress done result page next continuation cursor cancel cancellation stop eos bos eot pad unk sep cls mask special start end begin first last max min per num total input output prompt completion reasoning thinking thought cached unexpected expected syntax lookahead string word text image audio video single each by cost price budget count'.split(
    ' ',
  ),
);

/** What is before a short `pass` where it is a password. */
const passwordOf = new Set(
  'db database smtp mail email user admin root redis mysql postgres pg mongo ftp sftp ldap proxy auth login account http basic rabbitmq amqp ssh key store keystore cert'.split(
    ' ',
  ),
);

const password = /(?:password|passwords|passwd|passphrase|passcode|pwd)$/;
const secret = /(?:secret|secrets|credential|credentials|creds)$/;

/**
 * What kind of secret a name names, if it does: by its last word, with suffixes aside. Counts, types, limits, names, ids and addresses
 * of such things (`token_count`, `tokenType`, `apiKeyId`, `secretName`, `password_url`) end in another word and are none.
 */
export function secretKind(name: string): SecretKind | undefined {
  const words = name.match(word)?.map((part) => part.toLowerCase()) ?? [];
  while (words.length > 1 && (suffix.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (last.endsWith('authorization')) return 'authorization';
  if (last.endsWith('cookie') || last.endsWith('cookies')) return 'cookie';
  if (password.test(last) || (last === 'pass' && passwordOf.has(before))) return 'password';
  if (secret.test(last)) return 'secret';
  if (last.endsWith('token')) return tokenKind(last.slice(0, -5) || before);
  if (/^keys?$/.test(last)) return secretKeys.has(before) ? 'key' : perhapsKey(name, before);
  if (/^(?:api|access|secret|private|auth)keys?$/.test(last) || (last === 'auth' && name.startsWith('_'))) return 'key';
  return undefined;
}

/** Of the keys of vendors, few can be known by their names: in capitals they are variables. */
function perhapsKey(name: string, before: string): SecretKind | undefined {
  return /^[A-Z][A-Z0-9_]*_KEY$/.test(name) && before !== '' && !otherKeys.has(before) ? 'perhaps key' : undefined;
}

function tokenKind(before: string): SecretKind | undefined {
  if (before === '') return 'plain token';
  return otherTokens.has(before) ? undefined : 'token';
}

/** Whether a name is that of a header which carries a secret. */
export function isSecretHeader(name: string): boolean {
  return /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^(?:x-)?(?:[a-z0-9]+-){0,3}(?:api-?key|token)$/i.test(name);
}
