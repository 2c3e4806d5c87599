import * as vscode from 'vscode';
import { HumanError } from '../runs/humanError';
import type { LogLink } from './logLink';

/**
 * What the extension says of itself: every error that concerns no run, and what is behind it. What agents log stands in channels of their
 * own. It is made when there is something to say.
 */
export class ExtensionLog implements LogLink {
  private channel: vscode.LogOutputChannel | undefined;

  get title(): string {
    return vscode.l10n.t('Show Log');
  }

  /** Keeps an error, with the causes that a notification has no room for. */
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

/** An error that is meant for people says it all; of any other, where it comes from is what helps. */
function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const text = error instanceof HumanError ? error.message : (error.stack ?? error.message);
  return error.cause === undefined || depth > 5 ? text : `${text}\n  because: ${describe(error.cause, depth + 1)}`;
}
