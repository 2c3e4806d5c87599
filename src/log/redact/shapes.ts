import { isOpaque } from './ordinary';
import { runStart } from './rawText';

/** A token that is known by how it begins. */
interface Shape {
  /** Public, and kept. */
  readonly prefix: string;
  /** What follows it: sticky, one character class, so that it takes linear time and never reaches over a quote or an escape. */
  readonly rest: RegExp;
  /** Whether what follows must look like nothing a person would name something. */
  readonly opaque?: true;
}

/**
 * The shapes that gitleaks (G: config/gitleaks.toml), secretlint (S: preset-recommend) and trufflehog (T) know for the services that
 * agents talk to. Those sets find secrets in files, once; running secretlint's took 24 times as long as JSON.parse of the same lines, and
 * it weighs 218 kB. So the shapes are theirs, and the search is ours. Lengths are looser than theirs where a provider has changed its own
 * before. A longer prefix stands before the one it begins with.
 */
const shapes: readonly Shape[] = [
  { prefix: 'sk-ant-', rest: /[\w-]{16,}/y }, // G anthropic-api-key, S anthropic
  { prefix: 'sk-proj-', rest: /[\w-]{16,}/y }, // G openai-api-key, S openai
  { prefix: 'sk-svcacct-', rest: /[\w-]{16,}/y }, // G openai-api-key, S openai
  { prefix: 'sk-admin-', rest: /[\w-]{16,}/y }, // G openai-api-key, S openai
  { prefix: 'sk-or-v1-', rest: /[0-9a-fA-F]{16,}/y }, // T openrouter
  { prefix: 'sk-', rest: /[\w-]{16,}/y, opaque: true }, // G openai-api-key (old), T deepseek, and those that imitate it
  { prefix: 'csk-', rest: /[a-z0-9]{32,}/y }, // Cerebras
  { prefix: 'sk_live_', rest: /[A-Za-z0-9]{10,}/y }, // G stripe-access-token
  { prefix: 'sk_test_', rest: /[A-Za-z0-9]{10,}/y }, // G stripe-access-token
  { prefix: 'rk_live_', rest: /[A-Za-z0-9]{10,}/y }, // G stripe-access-token
  { prefix: 'rk_test_', rest: /[A-Za-z0-9]{10,}/y }, // G stripe-access-token
  { prefix: 'gsk_', rest: /[A-Za-z0-9]{20,}/y }, // S groq
  { prefix: 'xai-', rest: /[A-Za-z0-9_]{30,}/y }, // T xai
  { prefix: 'pplx-', rest: /[A-Za-z0-9]{30,}/y }, // G perplexity-api-key
  { prefix: 'r8_', rest: /[\w-]{30,}/y, opaque: true }, // T replicate
  { prefix: 'hf_', rest: /[A-Za-z0-9]{30,}/y }, // G huggingface-access-token, S huggingface
  { prefix: 'AIza', rest: /[\w-]{30,}/y, opaque: true }, // G gcp-api-key, S gcp
  { prefix: 'ya29.', rest: /[\w.-]{20,2048}/y }, // T googleoauth2
  { prefix: 'ghp_', rest: /[A-Za-z0-9]{20,}/y }, // G github-pat, S github
  { prefix: 'gho_', rest: /[A-Za-z0-9]{20,}/y }, // G github-oauth, S github
  { prefix: 'ghu_', rest: /[A-Za-z0-9]{20,}/y }, // G github-app-token, S github
  { prefix: 'ghs_', rest: /[A-Za-z0-9]{20,}/y }, // G github-app-token, S github
  { prefix: 'ghr_', rest: /[A-Za-z0-9]{20,}/y }, // G github-refresh-token, S github
  { prefix: 'github_pat_', rest: /\w{20,}/y }, // G github-fine-grained-pat, S github
  { prefix: 'glpat-', rest: /[\w.-]{20,512}/y }, // G gitlab-pat, gitlab-pat-routable, S gitlab
  { prefix: 'AKIA', rest: /[A-Z2-7]{16}(?![A-Za-z0-9])/y }, // G aws-access-token, S aws
  { prefix: 'ASIA', rest: /[A-Z2-7]{16}(?![A-Za-z0-9])/y }, // G aws-access-token, S aws
  { prefix: 'xox', rest: /[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}/y, opaque: true }, // G slack-*-token, S slack
  { prefix: 'xapp-', rest: /\d-[A-Za-z0-9-]{10,}/y }, // G slack-app-token
  { prefix: 'npm_', rest: /[A-Za-z0-9]{30,}/y }, // G npm-access-token, S npm
  { prefix: 'pypi-', rest: /AgE[\w-]{40,}/y }, // G pypi-upload-token
  { prefix: 'dckr_pat_', rest: /[\w-]{20,}/y }, // S docker
  { prefix: 'shpat_', rest: /[a-fA-F0-9]{32,}/y }, // G shopify-access-token, S shopify
  { prefix: 'sbp_', rest: /[a-f0-9]{40}/y }, // T supabasetoken
  { prefix: 'dop_v1_', rest: /[a-f0-9]{64}/y }, // G digitalocean-pat
  { prefix: 'tvly-', rest: /[\w-]{24,}/y, opaque: true }, // Tavily
  { prefix: 'lin_api_', rest: /[A-Za-z0-9]{32,}/y }, // G linear-api-key
  { prefix: 'ntn_', rest: /[A-Za-z0-9]{40,}/y }, // G notion-api-token
  { prefix: 'figd_', rest: /[\w-]{38,}/y, opaque: true }, // T figma
  { prefix: 'ATATT3', rest: /[\w=-]{60,}/y }, // G atlassian-api-token
  { prefix: 'eyJ', rest: /[\w-]{8,}\.(?:eyJ)?[\w-]{8,}(?:\.[\w-]*){1,3}/y }, // G jwt; three parts, or the five of an encrypted one
];

const byFirst = new Map<string, Shape[]>();
for (const shape of shapes) {
  const first = shape.prefix.charAt(0);
  byFirst.set(first, [...(byFirst.get(first) ?? []), shape]);
}

export interface ShapeMatch {
  readonly start: number;
  readonly end: number;
  readonly prefix: string;
}

/** The token that begins at this place. */
export function shapeAt(text: string, start: number): ShapeMatch | undefined {
  for (const { prefix, rest, opaque } of byFirst.get(text.charAt(start)) ?? []) {
    if (!text.startsWith(prefix, start)) continue;
    rest.lastIndex = start + prefix.length;
    const found = rest.exec(text);
    if (found !== null && (opaque !== true || isOpaque(found[0]))) return { start, end: rest.lastIndex, prefix };
  }
  return undefined;
}

/** The longest prefix that a shape has: so far back its beginning is looked for. */
const maxPrefix = 16;

/** The token that a place is in the prefix of. It must begin where a run of letters, digits, `_` and `-` begins. */
export function shapeAround(text: string, at: number): ShapeMatch | undefined {
  const start = runStart(text, at, maxPrefix);
  return start < 0 ? undefined : shapeAt(text, start);
}
