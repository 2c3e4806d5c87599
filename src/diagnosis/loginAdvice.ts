import type { Conversation } from './conversation';

/** What all that fails because nobody is logged in has in common. */
export const loginKey = 'login';

/** How somebody can log in, as far as the agent has said. */
export function loginAdvice(conversation: Conversation, errorData?: unknown): string {
  if (conversation.protocol === 'lsp') {
    return 'Sign in with the editor that it is made for; it keeps the token where this server finds it.';
  }
  const methods = conversation.authMethods(errorData);
  if (methods.length > 0) return `It offers: ${methods.join(', ')}. Log in one of these ways, then try again.`;
  return 'It names no way to log in here: log in with its own command or set its API key, then start it again.';
}
