/** What stands in place of a secret. It has no quotes, backslashes or control characters: it fits into a string of JSON as it is. */
export const marker = '[redacted]';

/** The same after what is kept of it. */
export const maskedRest = `…${marker}`;

const done = /(?:[\w.+:/-]{1,40} *)?…?\[redacted\]/y;

/**
 * The text that replaces a secret.
 * @param prefix what everybody knows of it: `sk-ant-`, `Bearer `
 */
export function masked(prefix = ''): string {
  return prefix === '' ? marker : prefix + maskedRest;
}

/** Where the replacement that stands at this place ends, or -1 if there is none: redacting twice changes nothing. */
export function maskedEnd(text: string, at: number): number {
  done.lastIndex = at;
  return done.test(text) ? done.lastIndex : -1;
}
