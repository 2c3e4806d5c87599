import fc from 'fast-check';

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function charactersOf(alphabet: string, length: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength: length, maxLength: length, size: 'max' })
    .map((chars) => chars.join(''));
}

/** Random characters of an alphabet, with some digits. */
export function random(alphabet: string, length: number): fc.Arbitrary<string> {
  return charactersOf(alphabet, length).filter((text) => /\d\D+\d\D+\d/.test(text) && /[a-zA-Z]/.test(text));
}

/** Tokens with a known prefix. */
export const shapedSecret: fc.Arbitrary<string> = fc.oneof(
  ...(
    [
      ['sk-ant-api03-', base62, 40],
      ['sk-proj-', `${base62}_-`, 48],
      ['sk-or-v1-', '0123456789abcdef', 64],
      ['sk-', base62, 48],
      ['gsk_', base62, 52],
      ['hf_', base62, 34],
      ['AIza', base62, 35],
      ['ghp_', base62, 36],
      ['gho_', base62, 36],
      ['github_pat_', base62, 40],
      ['glpat-', base62, 20],
      ['AKIA', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16],
      ['xoxb-', base62, 40],
      ['npm_', base62, 36],
      ['xai-', base62, 60],
      ['ya29.', base62, 60],
      ['sk_live_', base62, 24],
      ['tvly-dev-', base62, 32],
      ['lin_api_', base62, 40],
      ['ntn_', base62, 46],
      ['figd_', `${base62}_-`, 40],
      ['ATATT3', `${base62}_-`, 180],
    ] as const
  ).map(([prefix, alphabet, length]) => random(alphabet, length).map((rest) => prefix + rest)),
  fc
    .tuple(random(base62, 30), random(base62, 40), random(base62, 43))
    .map(([head, payload, signature]) => `eyJ${head}.eyJ${payload}.${signature}`),
);

/** Tokens without a format, recognizable only by name. */
export const namedSecret: fc.Arbitrary<string> = fc.oneof(
  random(base62, 32),
  random('0123456789abcdef', 40),
  random(`${base62}_-`, 24),
  random(`${base62}+/`, 43).map((text) => `${text}=`),
);

/** Passwords that people make up. */
export const password: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('correct', 'Hunter', 'tr0ub4dor', 'qwert'), random(base62, 6), fc.constantFrom('', '!', '-x'))
  .map((parts) => parts.join(''));

export const secretName: fc.Arbitrary<string> = fc.constantFrom(
  ...'apiKey api_key API_KEY OPENAI_API_KEY x-api-key X-Api-Key accessToken access_token refresh_token id_token'.split(
    ' ',
  ),
  ...'authToken GITHUB_TOKEN client_secret clientSecret AWS_SECRET_ACCESS_KEY secretKey privateKey signing_key'.split(
    ' ',
  ),
  ...'dbPassword DB_PASSWORD password passwd PGPASSWORD'.split(' '),
);

/** Names of ordinary values, although some contain a word such as token. */
export const harmlessName: fc.Arbitrary<string> = fc.constantFrom(
  ...'id sessionId toolCallId path commit sha256 version model totalTokens max_tokens tokenCount input_tokens'.split(
    ' ',
  ),
  ...'progressToken cacheKey primaryKey key keyId tokenType secretName password_url author keyboard monkey'.split(' '),
  ...'compass passed message uri'.split(' '),
);

const hex = (length: number): fc.Arbitrary<string> => charactersOf('0123456789abcdef', length);

const word = fc.constantFrom(
  ...'the token tokens key keys secret password cookie authorization is was invalid required expired please'.split(' '),
  ...'enter your file agent model reads of and budget exceeded'.split(' '),
);

/** Sentences about secrets that contain none. */
export const prose: fc.Arbitrary<string> = fc
  .tuple(fc.array(word, { minLength: 3, maxLength: 14 }), fc.constantFrom('.', '!', '', '?'))
  .map(([words, end]) => words.join(' ') + end)
  // What comes after such an end is one.
  .filter((text) => !/\bpassword(?:|\b.* (?:is|was))$/.test(text));

/** Values that look random but aren't secrets: hashes, IDs, paths, versions, times, model names. */
export const harmlessValue: fc.Arbitrary<string> = fc.oneof(
  fc.uuid(),
  hex(40),
  hex(64),
  hex(7),
  fc.constantFrom(
    '/home/user/.ssh/id_rsa.pub',
    '/tmp/agent-logs-3f9a/journal.ndjson',
    'C:\\Users\\me\\AppData\\Local\\Temp\\x1y2z3.log',
    'file:///workspace/src/token.ts:12:34',
    'https://example.com/a/b?page=2&sort=name#top',
    'claude-sonnet-4-5-20250929',
    'gpt-4o-mini-2024-07-18',
    '1.2.3-beta.4+build.567',
    '2026-11-20T12:00:00.123Z',
    'call_abc123',
    'toolu_01A2B3C4D5E6F7G8H9',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'git@github.com:owner/repo.git',
    'node_modules/@scope/pkg/dist/index.js',
    'application/json; charset=utf-8',
    '127.0.0.1:8080',
  ),
);
