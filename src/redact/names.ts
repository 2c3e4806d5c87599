import { foreignKind } from './foreignNames';
import { foreignStem, stem } from './stems';

/**
 * What a name says about its value. A `key` or `token` has no spaces; a `password` or `secret` may have some; an `authorization` begins
 * with a scheme; a `mnemonic` is a row of words. A `plain token` is just `token`, which is also what parsers and language models call a
 * word. A `code` is used once, at a login. The value of a `perhaps key` is a secret only if it looks like one, that of a `perhaps token` only if it can be nothing else.
 */
export type SecretKind =
  | 'authorization'
  | 'code'
  | 'cookie'
  | 'key'
  | 'mnemonic'
  | 'password'
  | 'perhaps key'
  | 'perhaps token'
  | 'plain token'
  | 'secret'
  | 'token';

/** The words of a name in camelCase, snake_case, kebab-case or capitals. */
const word = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Words after the one that counts: `API_KEY_PROD`, `tokenValue`, `SECRET_KEY_BASE`. */
const suffix = wordsIn(
  'value raw string text plain plaintext base base64 b64 encoded header prod production dev development test testing staging live sandbox old new current previous primary secondary backup default hash main admin user bedrock',
);

/** Words before `key` that make it a secret. */
const secretKeys = wordsIn(
  'api access secret private preshared auth authentication authorization encryption decryption signing signature master shared account subscription service role client storage deploy license jwt hmac aes rsa ssh tls ssl pgp gpg',
);

/** Vendors whose keys, tokens and secrets go by the vendor's name: `openaiKey`, `TAVILY_KEY`. */
const vendors = wordsIn(
  'adafruit adobe airtable algolia alibaba anthropic artifactory asana atlassian auth0 aws azure beamer bitbucket bittrex brave cerebras claude clickhouse cloudflare codecov cohere coinbase confluent contentful databricks datadog deepgram deepseek digitalocean discord docker doppler droneci dropbox elastic elevenlabs etsy exa facebook fastly figma finnhub firebase fireworks fly freshbooks gemini github gitlab gitter gocardless google grafana grok groq hf heroku hubspot huggingface infura intercom jfrog jina kraken kucoin langchain langfuse langsmith launchdarkly linear linkedin lob looker mailchimp mailgun mapbox mattermost messagebird mistral netlify newrelic notion npm nvidia nytimes okta openai openrouter paypal perplexity pinecone plaid planetscale postman pulumi qdrant rapidapi replicate resend segment sendbird sendgrid sentry serper shopify slack snyk sonar square squarespace stability stripe sumologic supabase tailscale tavily telegram together travis twilio twitch twitter typeform vault vercel voyage wandb weaviate xai yandex zendesk',
);

/** Words before `KEY` in the name of a variable that make it no secret. Others may be vendors: `LINEAR_KEY`. */
const otherKeys = wordsIn(
  'public pub cache primary foreign partition sort range row hash unique composite index group request routing lookup search idempotency dedup dedupe object s3 bucket blob registry reg hkey translation i18n message topic host known project issue jira pk fk hot press shortcut modifier ctrl alt shift escape enter arrow map dict json item feature flag config setting settings env session state store site build run test id gpg pgp ssh',
);

/** Words before `token` that make it a unit of text, a place in a list or the handle of a progress. */
const otherTokens = wordsIn(
  'progress done result page next continuation cursor cancel cancellation stop eos bos eot pad unk sep cls mask special start end begin first last max min per num total input output prompt completion reasoning thinking thought cached unexpected expected syntax lookahead string word text image audio video single each by cost price budget count',
);

/** Words before a short `pass` or `pw` that make it a password. */
const passwordOf = wordsIn(
  'db database smtp mail email user admin root redis mysql postgres pg mongo ftp sftp ldap proxy auth login account http basic rabbitmq amqp become sudo mariadb mssql bind sasl ssh key store keystore cert',
);

/** Words before `code` that make it one that is used once, at a login. */
const codeOf =
  /^(?:verification|confirmation|security|login|signin|access|sms|otp|mfa|totp|fa|time|onetime|recovery|backup)$/;

/** Words that ask or say something about a secret: `hasSecrets`, `showPassword`. */
const question = wordsIn('has have had is are needs need requires require show hide should can allow ask missing');

/** Last words of variables that say something about a secret: `API_KEY_FILE`, `TOKEN_TTL`. */
const description = wordsIn(
  'id ids name names type types kind file files path paths dir url uri urls uris endpoint host port ttl age expiry expires expiration expire length len size count counts limit limits max min usage used per enabled disabled required optional header prefix suffix format version versions algorithm alg policy rotation store manager provider providers scope scopes arn hint field fields label title description timeout issuer audience mode status state source env var variable vars regex pattern error errors budget cost price rate window cache index list set map',
);

const password =
  /(?:password|passwords|passwd|passphrase|passcode|passwort|passord|motdepasse|storepass|keypass|requirepass|masterauth|bindpw|rootpw|pwd)$/;
const secret = /(?:secret|secrets|credential|credentials|creds)$/;
const ownKey = /^\w*(?:api|access|secret|private|auth|signing|encryption|license|subscription)keys?$/;

/**
 * What kind of secret a name stands for, if any: its last word decides, with suffixes aside. Counts, types, limits, names, ids and
 * addresses (`token_count`, `apiKeyId`, `password_url`) end in another word.
 */
export function secretKind(name: string): SecretKind | undefined {
  if (!stem.test(name)) return undefined;
  const words = name.match(word)?.map((part) => part.toLowerCase()) ?? [];
  while (words.length > 1 && (suffix.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop();
  if (words.length > 1 && question.has(words[0] ?? '') && !/^[A-Z0-9_]+$/.test(name)) return undefined;
  return kindOfWords(words) ?? kindOfVariable(name, words) ?? foreignKind(name);
}

function kindOfWords(words: readonly string[]): SecretKind | undefined {
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (last.endsWith('authorization')) return 'authorization';
  if (last.endsWith('cookie') || last.endsWith('cookies')) return 'cookie';
  if (password.test(last) || ((last === 'pass' || last === 'pw') && passwordOf.has(before))) return 'password';
  if (secret.test(last)) return 'secret';
  if (last === 'token' && /^(?:otp|mfa|totp|fa)$/.test(before)) return 'code';
  if (last.endsWith('token')) return tokenKind(last.slice(0, -5) || before);
  if (last.endsWith('mnemonic') || (last === 'phrase' && /^(?:seed|recovery|secret)$/.test(before))) return 'mnemonic';
  if (last === 'keys' || last === 'key') return keyKind(before);
  if (last === 'verifier') return /^(?:code|pkce|oauth)$/.test(before) ? 'key' : undefined;
  if (words.length === 1 && (last === 'pass' || last === 'pw')) return 'perhaps key';
  if (/^t?otp$/.test(last) || (/^codes?$/.test(last) && codeOf.test(before))) return 'code';
  if (/(?:tigungs|sicherheits|einmal|zugangs)codes?$/.test(last)) return 'code';
  if (words.length === 1 && last === 'code') return 'perhaps token';
  if (last.endsWith('code') && grants.test(last === 'code' ? before : last.slice(0, -4))) return 'perhaps token';
  if (last === 'data' && before === 'key' && /^(?:client|private)$/.test(words.at(-3) ?? '')) return 'key';
  if (ownKey.test(last)) return 'key';
  return vendors.has(/^(\w+)key$/.exec(last)?.[1] ?? '') ? 'perhaps key' : undefined;
}

/** What a code is given for that becomes a token. */
const grants = /^(?:oauth|auth|authorization|authorisation|device|grant)$/;

function keyKind(before: string): SecretKind | undefined {
  if (before === 'session') return 'perhaps token';
  if (secretKeys.has(before)) return 'key';
  return vendors.has(before) ? 'perhaps key' : undefined;
}

function tokenKind(before: string): SecretKind | undefined {
  if (before === '') return 'plain token';
  return otherTokens.has(before) ? undefined : 'token';
}

/** Names that only their value can prove to be a secret's: most of them are variables, in capitals. */
function kindOfVariable(name: string, words: readonly string[]): SecretKind | undefined {
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (/^(?:jwt|bearer|pat)$/.test(last) && words.length > 1) return 'perhaps key';
  if (/^(?:_?(?:auth|jwt|Auth)|x-auth)$/i.test(name)) return 'perhaps key';
  if (/(?:^|_)PIN$/.test(name)) return 'code';
  if (name === 'access') return 'perhaps token';
  if (/^x-.*-key$/i.test(name) && !otherKeys.has(before)) return 'perhaps key';
  if (last === 'psk' || (last === 'url' && before === 'webhook')) return 'perhaps key';
  if (words.length < 2 || !/^[A-Z][A-Z0-9_]*$/.test(name)) return undefined;
  if (last === 'key') return otherKeys.has(before) ? undefined : 'perhaps key';
  if (last === 'auth' || last === 'pw') return 'password';
  if (last === 'config' && before === 'auth') return 'perhaps key';
  if (description.has(last)) return undefined;
  const kind = kindOfWords(words.slice(0, -1));
  return kind === undefined || kind === 'plain token' ? undefined : 'perhaps key';
}

/** What kind of secret the value of an option is: `--key X` is less certain than `--api-key X`. */
export function kindOfOption(name: string): SecretKind | undefined {
  const plain = name.replace(/^-+(?:D(?=[a-zA-Z]))?/, '');
  if (/^auth$/i.test(plain)) return 'password';
  return secretKind(plain) ?? (/^(?:key|bearer|pat)$/i.test(plain) ? 'perhaps key' : undefined);
}

/** Whether a name is that of an HTTP header that carries a secret. */
export function isSecretHeader(name: string): boolean {
  return /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^(?:x-)?(?:[a-z0-9]+-){0,3}(?:api-?key|token)$|^x-auth$/i.test(
    name,
  );
}

/** A name of a secret in a text. */
export interface NameInText {
  readonly name: string;
  readonly kind: SecretKind;
  readonly start: number;
  readonly end: number;
}

const maxName = 64;

/** Letters, also those with accents, digits, `_` and `-`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    (code >= 192 && code <= 255 && code !== 215 && code !== 247)
  );
}

/** The name that a place is in, if it is that of a secret. */
export function nameAround(text: string, at: number): NameInText | undefined {
  let start = at;
  while (start > 0 && isNameCode(text.charCodeAt(start - 1))) if (at - --start > maxName) return undefined;
  let end = at;
  while (isNameCode(text.charCodeAt(end))) if (++end - at > maxName) return undefined;
  start = Math.min(at, start + escapeLength(text, start));
  const name = text.slice(start, end);
  if (name.startsWith('-')) return named(start, end, name, kindOfOption(name));
  return (
    dotted(text, start, end) ??
    named(
      start,
      end,
      name,
      codeByContext(text, start, name) ?? secretKind(name) ?? kindByContext(text, start, end, name),
    ) ??
    phraseAround(text, start, end)
  );
}

/** A name of several words, as German and the Romance languages have them: `mot de passe`, `chiave d'accesso`. */
function phraseAround(text: string, start: number, end: number): NameInText | undefined {
  if (!foreignStem.test(text.slice(start, end))) return undefined;
  const [before = ''] = /(?:[\p{L}\d_]{1,16}[ '’]){0,3}$/u.exec(text.slice(Math.max(0, start - 40), start)) ?? [];
  const [after = ''] = /^(?:[ '’][\p{L}\d]{1,10}){0,3}/u.exec(text.slice(end, end + 40)) ?? [];
  for (let rest = after; ; rest = rest.replace(/[ '’][^ '’]*$/, '')) {
    const name = before + text.slice(start, end) + rest;
    const kind = foreignKind(name);
    if (kind !== undefined || rest === '') return named(start - before.length, end + rest.length, name, kind);
  }
}

function named(start: number, end: number, name: string, kind: SecretKind | undefined): NameInText | undefined {
  return kind && { start, end, name, kind };
}

/** The letter of an escape and the digits of a percent-encoded character are no part of a name. */
function escapeLength(text: string, start: number): number {
  const before = text.charAt(start - 1);
  const escape =
    before === '\\' ? /^(?:[bfnrt]|u[0-9a-fA-F]{4})/ : before === '%' ? /^(?:25){0,3}[0-9a-fA-F]{2}/ : undefined;
  return escape?.exec(text.slice(start, start + 8))?.[0].length ?? 0;
}

const path = /(?:^|-D|\\[nrt]|[\s"'`<{(,;])((?:[\w-]{1,40}\.){1,6})$/;

/** A name of properties: `api.key=…`, `<property name="aws.secret.access.key"`. In code it would be a member of something. */
function dotted(text: string, start: number, end: number): NameInText | undefined {
  if (text.charAt(start - 1) !== '.') return undefined;
  const before = path.exec(text.slice(Math.max(0, start - 128), start))?.[1];
  if (before === undefined) return undefined;
  const from = start - before.length;
  const name = text.slice(from, end);
  const isQuoted = /["'`\\]/.test(text.charAt(end)) && /["'`]/.test(text.charAt(from - 1));
  const isSetting =
    /^[^\S\n]{0,8}[=:]/.test(text.slice(end, end + 10)) &&
    /(?:^|[\n]|D|\\[nrt])$/.test(text.slice(Math.max(0, from - 2), from));
  return isQuoted || isSetting ? named(from, end, name, secretKind(name.replaceAll('.', '_'))) : undefined;
}

const beforeCode =
  /(?:^|[^A-Za-z])(?:verification|confirmation|security|log-?in|sign-?in|access|sms|otp|mfa|2fa|totp|time|recovery|backup) $/i;

/** `verification code: …`, `enter the code …` */
function codeByContext(text: string, start: number, name: string): SecretKind | undefined {
  const isCode = /^codes?$/i.test(name) && beforeCode.test(text.slice(Math.max(0, start - 16), start));
  return isCode ? 'code' : undefined;
}

/** `API key: …` and `authorization code: …` in a sentence, `api.key=…` in properties, `?key=…` in a URL. */
function kindByContext(text: string, start: number, end: number, name: string): SecretKind | undefined {
  if (!/^(?:key|code|phrase)$/i.test(name)) return undefined;
  const before = text.slice(Math.max(0, start - 16), start);
  if (/^phrase$/i.test(name)) {
    return /(?:^|[^A-Za-z])(?:seed|recovery|backup|mnemonic) $/i.test(before) ? 'mnemonic' : undefined;
  }
  if (/^code$/i.test(name)) {
    const isGrant = /(?:^|[^A-Za-z])(?:o?auth|authori[sz]ation|device)[ .]$/i.test(before);
    return isGrant || /^ verifier/i.test(text.slice(end, end + 9)) ? 'perhaps token' : undefined;
  }
  if (/(?:^|[^A-Za-z])(?:my|our|your|new) $/i.test(before)) return 'perhaps token';
  if (/(?:^|[^A-Za-z])(?:api|access|secret|private|master|license|unseal|recovery)[ .]$/i.test(before)) {
    return 'perhaps key';
  }
  const isTold = /^ (?:\(|\*|(?:for|to|of|für|zu[mr]?) (?!(?:the )?cache)[\w.' -]{1,40}? (?:is|ist|lautet):? )/.test(
    text.slice(end, end + 60),
  );
  if (isTold && !otherKeys.has(/(\w*) $/.exec(before)?.[1]?.toLowerCase() ?? '')) return 'perhaps token';
  return /[?&]$/.test(before) && text.charAt(end) === '=' ? 'perhaps key' : undefined;
}
