import type { Words } from './translator';
import { inEnglish, t, WordsError } from './translator';

export const missingTypes = ['folder', 'program', 'interpreter'] as const;

/** What an agent couldn't be started without: its working directory, its program, or the interpreter in the program's first line. */
export interface MissingPart {
  readonly type: (typeof missingTypes)[number];
  /** The path of the folder, or the command. */
  readonly name: string;
}

/** Where the user can fix an error. */
export type Remedy = 'settings' | 'output' | 'trust' | 'restart' | 'logIn';

/** An error with a message for the user: what happened, and what to do about it. Any other error is a bug in Agent Logs. */
export class HumanError extends WordsError {
  /** The run that failed; its output has details. */
  runId: string | undefined;
  /** The name of the affected agent in the settings, if there is no run. */
  agent: string | undefined;
  /** The setting to change if it isn't that of an agent, without the prefix `agentLogs.`. */
  setting: string | undefined;
  /** What the agent couldn't be started without. */
  missing: MissingPart | undefined;

  constructor(
    words: Words,
    readonly remedies: readonly Remedy[] = [],
    options?: ErrorOptions,
  ) {
    super(words, options);
    this.name = 'HumanError';
  }

  /** Adds a sentence. */
  explain(more: Words): void {
    this.words = t('{0} {1}', this.words, more);
    this.message = inEnglish(this.words);
  }
}

/** The agent ended before it answered, which the run's views already show. */
export class AgentGone extends HumanError {
  constructor(words: Words, cause: unknown) {
    super(words, ['output'], { cause });
    this.name = 'AgentGone';
  }
}

export function goneBefore(agent: string, how: Words, method: string, cause: unknown): AgentGone {
  return new AgentGone(t('{0} {1} before it answered {2}.', agent, how, method), cause);
}

/** The agent speaks another protocol than the settings say. */
export class WrongProtocol extends HumanError {
  constructor(words: Words) {
    super(words, ['settings', 'output']);
    this.name = 'WrongProtocol';
  }
}

/** The user dismissed a question. Only a calling program needs the error. */
export class Declined extends HumanError {
  constructor(words: Words) {
    super(words, ['output']);
    this.name = 'Declined';
  }
}

/** The `code` of an error of Node.js or a library, if it has one. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The message of any thrown value, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
