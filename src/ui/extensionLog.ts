import * as vscode from 'vscode';
import { HumanError } from '../runs/humanError';
import type { LogLink } from './notify';

/**
 * The log of the extension itself: errors that concern no run, with their causes. Each agent has a separate channel. The channel is created
 * with its first line.
 */
export class ExtensionLog implements LogLink {
  private channel: vscode.LogOutputChannel | undefined;

  get title(): string {
    return vscode.l10n.t('Show Log');
  }

  /** Logs an error with its causes. */
  error(error: unknown): void {
    this.open().error(describe(error));
  }

  warn(message: string): void {
    this.open().warn(message);
  }

  show(): Promise<void> {
    this.open().show(true);
    return Promise.resolve();
  }

  dispose(): void {
    this.channel?.dispose();
  }

  private open(): vscode.LogOutputChannel {
    this.channel ??= vscode.window.createOutputChannel('Agent Logs', { log: true });
    return this.channel;
  }
}

/** The message of an error for users, or the stack of any other, followed by its causes. */
function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const text = error instanceof HumanError ? error.message : (error.stack ?? error.message);
  return error.cause === undefined || depth > 5 ? text : `${text}\n  because: ${describe(error.cause, depth + 1)}`;
}
