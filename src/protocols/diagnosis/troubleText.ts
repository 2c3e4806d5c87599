const retry =
  /\b(?:re-?tr(?:y|ying|ied)(?: (?:in|after|attempt)|\b.{0,40}\b(?:attempt|in \d))|reconnecting|attempt \d+ ?(?:\/|of) ?\d+|will retry|AI_RetryError)\b/i;
const fallback = /\b(?:fall(?:ing|s|en)?[ -]?back|fallback|switch(?:ed|ing) to|downgrad(?:ed|ing) to|instead of)\b/i;
const model = /\bmodels?\b/i;

/** Whether a text tells that something is tried again. */
export function tellsOfRetry(text: string): boolean {
  return retry.test(text.slice(0, 2000));
}

/** Whether a text tells that another model, or other settings for it, are used than were asked for. */
export function tellsOfFallback(text: string): boolean {
  const head = text.slice(0, 2000);
  return fallback.test(head) && model.test(head);
}
