/** Requests of an agent that a person answers, or the client's model: whoever asks one waits for it, and nobody for him. */
export const questions: ReadonlySet<string> = new Set([
  'session/request_permission',
  'elicitation/create',
  'sampling/createMessage',
]);
