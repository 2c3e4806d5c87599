/** Where a person can do something about an error. */
export type Remedy = 'settings' | 'output' | 'trust' | 'restart' | 'logIn';

/** An error whose message is for the person: what happened, and what to do about it. Any other error is a bug of ours. */
export class HumanError extends Error {
  /** The run that it happened to, whose output tells more. */
  runId: string | undefined;
  /** The agent in the settings that it is about, if there is no run. */
  agent: string | undefined;

  constructor(
    message: string,
    readonly remedies: readonly Remedy[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'HumanError';
  }
}

/** The agent ended before it answered: the views of the run show that already. */
export class AgentGone extends HumanError {
  constructor(message: string, cause: unknown) {
    super(message, ['output'], { cause });
    this.name = 'AgentGone';
  }
}

/** The agent speaks another protocol than the settings say. */
export class WrongProtocol extends HumanError {
  constructor(message: string) {
    super(message, ['settings', 'output']);
    this.name = 'WrongProtocol';
  }
}

/** The user left a question without an answer: they know, and only a calling program needs the error. */
export class Declined extends HumanError {
  constructor(message: string) {
    super(message, ['output']);
    this.name = 'Declined';
  }
}

/** The `code` of an error of Node.js or a library, if it has one. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
