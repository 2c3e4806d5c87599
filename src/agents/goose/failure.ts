/** How goose words that a request to the model failed, in a message of the assistant. */
export function failureIn(text: string): string | undefined {
  return /^Ran into this error: ([\s\S]{1,2000}?)(?:\.?\s*\n\s*Please retry|$)/.exec(text.slice(0, 3000))?.[1];
}
