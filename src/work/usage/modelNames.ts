/** Parts of a name that say who made or sells the model, or how it is used. */
const aside = new Set(
  (
    'claude anthropic openai google vertex azure bedrock models model us eu apac jp au global ' +
    'latest preview exp experimental thinking instruct it minimal low medium high xhigh max 0'
  ).split(' '),
);
const families =
  /opus|sonnet|haiku|claude|gpt|codex|(?:^|[-/])o\d|gemini|gemma|flash|llama|mistral|mixtral|devstral|codestral|qwen|deepseek|grok|kimi|glm|minimax|nova|phi/;
/** `anthropic:claude-opus-4-5`, but not `llama3:8b`. */
const provider = new RegExp(String.raw`^[\w-]+:(?=[^:]*(?:${families.source}))`);
/** Choices that leave the model to the agent. */
const open = /^(?:auto|default|best|opusplan|recommended|smart|custom)\b/;
const maxLength = 200;

/** Whether two names certainly mean different models: neither spellings of one, nor names of which nothing is known. */
export function isOtherModel(one: string, other: string): boolean {
  return compareModels(one, other) === 'other';
}

/** Whether two names certainly mean the same model, such as `sonnet`, `anthropic/claude-sonnet-4.5` and `claude-sonnet-4-5-20250929`. */
export function isSameModel(one: string, other: string): boolean {
  return compareModels(one, other) === 'same';
}

function compareModels(first: string, second: string): 'same' | 'other' | 'unknown' {
  const [one, other] = [ownName(first), ownName(second)];
  if (one === other) return 'same';
  if (open.test(one) || open.test(other) || !families.test(one) || !families.test(other)) return 'unknown';
  const [a, b] = [partsOf(one), partsOf(other)];
  const isSame =
    isAlias(a) || isAlias(b) ? isWithin(a, b) || isWithin(b, a) : [...a].sort().join(' ') === [...b].sort().join(' ');
  return isSame ? 'same' : 'other';
}

/** Without its provider, variant and date. */
function ownName(name: string): string {
  return name
    .slice(0, maxLength)
    .toLowerCase()
    .trim()
    .replace(/^.*\//, '')
    .replace(provider, '')
    .replace(/[:@[( ].*$/, '')
    .replace(/[._]/g, '-')
    .replace(/-v\d+$/, '')
    .replace(/-20\d\d-?\d\d-?\d\d\b/, '')
    .replace(/-\d\d-\d\d$/, '')
    .replace(/-(?:\d{4}|00\d)$/, '');
}

function partsOf(name: string): readonly string[] {
  return name.split('-').filter((part) => part !== '' && !aside.has(part));
}

/** `sonnet`, `gemini-pro`: the newest version of a model. */
function isAlias(parts: readonly string[]): boolean {
  return !parts.some((part) => /\d/.test(part));
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((part) => all.includes(part));
}
