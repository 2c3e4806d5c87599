// The first of one attempt is none that was made again.
const retry =
  /\b(?:re-?tr(?:y|ying|ied)(?: (?:in|after|attempt)|\b.{0,40}\b(?:attempt|in \d))|reconnecting|attempt (\d+) ?(?:\/|of) ?(?!\1\b)\d+|will retry|AI_RetryError)\b/i;
const change = String.raw`\b(?:fall(?:ing|s|en)?[ -]?back|fallback|fell back|(?:switch|downgrad)(?:ed|ing) to)\b`;
/** What a model has said, and not which. */
const product = String.raw`(?! (?:output|response|answer|reply|text)\b)`;
/** The model, or settings for it, stand beside the word: elsewhere in the line it is about something else. */
const fallback = new RegExp(
  [
    String.raw`${change}(?:\s+\S+){0,4}\s+\W{0,2}models?\b${product}`,
    String.raw`\bmodels?\b${product}.{0,80}${change}`,
    String.raw`\bmodels? \S+ instead of\b`,
  ].join('|'),
  'i',
);

/** Whether a text tells that something is tried again. */
export function tellsOfRetry(text: string): boolean {
  return retry.test(text.slice(0, 2000));
}

/** Whether a text tells that another model, or other settings for it, are used than were asked for. */
export function tellsOfFallback(text: string): boolean {
  return fallback.test(text.slice(0, 2000));
}
