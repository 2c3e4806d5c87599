import type { Random } from './random';
import type { Kind } from './secrets';
import { tokenKinds } from './secrets';

/** How a name is written: `apiKey`, `ApiKey`, `api_key`, `API_KEY`, `api-key`, `Api-Key`, `api.key`, `apikey`. */
export type Style = 'camel' | 'pascal' | 'snake' | 'upper' | 'kebab' | 'header' | 'dotted' | 'lower';

/** Names of keys and tokens, whose values have no spaces and are machine-generated. */
const keyNames = [
  ...['api key', 'api token', 'access token', 'refresh token', 'auth token', 'id token', 'bearer token', 'bot token'],
  ...['session token', 'secret key', 'private key', 'signing key', 'encryption key', 'access key', 'master key'],
  ...['openai api key', 'anthropic api key', 'gemini api key', 'github token', 'gitlab token', 'npm token', 'hf token'],
  ...['slack bot token', 'deploy token', 'service role key', 'subscription key', 'storage account key', 'vault token'],
  ...['aws secret access key', 'aws session token', 'personal access token', 'ci job token', 'hmac key', 'license key'],
];

/** Keys that are only named after a vendor, and personal access tokens. */
const vendorNames = [
  ...['openai key', 'anthropic key', 'stripe key', 'sendgrid key', 'gemini key', 'mistral key', 'deepseek key'],
  ...['groq key', 'linear key', 'supabase key', 'pinecone key', 'github pat', 'gitlab pat'],
];

/** Passwords: some have only digits, and some are several words. */
const passwordNames = [
  ...['password', 'passwd', 'db password', 'database password', 'user password', 'admin password', 'root password'],
  ...['smtp password', 'smtp pass', 'db pass', 'redis password', 'postgres password', 'keystore password'],
  ...['passphrase', 'key passphrase', 'mysql root password', 'proxy password'],
];

/** Shared secrets, which are machine-generated or chosen by a person. */
const secretNames = [
  ...['secret', 'client secret', 'app secret', 'jwt secret', 'webhook secret', 'session secret', 'cookie secret'],
  ...['consumer secret', 'shared secret', 'api secret', 'auth secret', 'credential', 'credentials'],
];

/** Names that are only used as environment variables. */
const keyVariables = ['aws bearer token bedrock', 'secret key base', 'azure devops ext pat', 'npm auth', 'ci job jwt'];
const passwordVariables = ['rediscli auth', 'pgpassword', 'mysql pwd'];

/** Written as one word: `apikey`. */
const joined = new Set([
  ...['api key', 'access token', 'auth token', 'secret key', 'access key', 'client secret', 'openai key'],
]);

/** A name for a secret, as words. */
export function nameFor(kind: Kind, style: Style, random: Random): string {
  const names = random.pick(namesFor(kind, style));
  // Headers are named for keys and tokens.
  return random.pick(style === 'header' ? keyNames.filter((name) => !name.startsWith('aws ')) : names);
}

/** Lists of names; all are equally likely. */
function namesFor(kind: Kind, style: Style): readonly (readonly string[])[] {
  const isVariable = style === 'upper';
  if (tokenKinds.includes(kind)) {
    return [keyNames, keyNames, keyNames, vendorNames, secretNames, ...(isVariable ? [keyVariables] : [])];
  }
  const usual = Array.from({ length: 4 }, () => passwordNames);
  const passwords = isVariable ? [...usual, passwordVariables] : usual;
  return kind === 'digits' || kind === 'passphrase' ? passwords : [...passwords, secretNames];
}

const capital = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);

const stylers: Readonly<Record<Style, (parts: readonly string[]) => string>> = {
  camel: ([first = '', ...parts]) => first + parts.map(capital).join(''),
  pascal: (parts) => parts.map(capital).join(''),
  snake: (parts) => parts.join('_'),
  upper: (parts) => parts.join('_').toUpperCase(),
  kebab: (parts) => parts.join('-'),
  header: (parts) => parts.map(capital).join('-'),
  dotted: (parts) => parts.join('.'),
  lower: (parts) => parts.join(joined.has(parts.join(' ')) ? '' : '_'),
};

export function styled(words: string, style: Style): string {
  return stylers[style](words.split(' '));
}
