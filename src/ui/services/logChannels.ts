import * as vscode from 'vscode';
import { HumanError } from '../../text/humanError';
import type { LogLink } from '../kit/notify';

/** An output channel of the extension itself; each agent has a separate one. Created with its first line. */
export class LogChannel implements LogLink {
  private channel: vscode.LogOutputChannel | undefined;

  constructor(private readonly name: string) {}

  get title(): string {
    return vscode.l10n.t('Show Log');
  }

  show(): Promise<void> {
    this.open().show(true);
    return Promise.resolve();
  }

  dispose(): void {
    this.channel?.dispose();
  }

  protected open(): vscode.LogOutputChannel {
    return (this.channel ??= vscode.window.createOutputChannel(this.name, { log: true }));
  }
}

/** Errors that concern no run, with their causes. */
export class ExtensionLog extends LogChannel {
  constructor() {
    super('Agent Logs');
  }

  error(error: unknown): void {
    this.open().error(describe(error));
  }

  warn(message: string): void {
    this.open().warn(message);
  }
}

/** The message of an error for users, or the stack of any other, followed by its causes. */
function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const text = error instanceof HumanError ? error.message : (error.stack ?? error.message);
  return error.cause === undefined || depth > 5 ? text : `${text}\n  because: ${describe(error.cause, depth + 1)}`;
}
