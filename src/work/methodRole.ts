/** What a method is for, whatever its protocol calls it; `undefined` if nothing depends on it. */
export type MethodRole =
  | 'greeting' // the first request
  | 'probe' // asks whether another first request is possible
  | 'login'
  | 'open' // a new session
  | 'reopen' // a session that exists
  | 'fork' // a copy of one
  | 'list' // lists sessions
  | 'turn' // a prompt
  | 'tool' // calls a tool
  | 'question' // the user answers it
  | 'model-question' // the client's model answers it
  | 'poll' // about a task; answered at once
  | 'subscription' // answered when it ends
  | 'level' // sets the level of logging
  | 'log'; // a log message

/** A request, or one for the same purpose. */
export interface Asked {
  readonly role?: MethodRole | undefined;
}

/** Whether a request begins a connection. */
export function isFirst({ role }: Asked): boolean {
  return role === 'greeting' || role === 'probe';
}

/** Whether a request opens or reopens a session. */
export function opensSession({ role }: Asked): boolean {
  return role === 'open' || role === 'reopen' || role === 'fork';
}
