import type { LogLevel, LogOutputChannel } from 'vscode';
import * as vscode from 'vscode';

/** How long VS Code may take to show a channel or to change its level, in milliseconds. */
const patience = 2000;

/**
 * Changes the level of a LogOutputChannel, which VS Code has no method for (microsoft/vscode#223536): its command works on the channel that
 * the Output view shows, so the view has to show it for a moment.
 */
export class ChannelLevelSwitch {
  /** VS Code 1.93 has the command, but it does nothing: then the view is not opened a second time. */
  private works = true;

  /** @returns whether the channel has that level now */
  async apply(channel: LogOutputChannel, level: LogLevel): Promise<boolean> {
    if (channel.logLevel === level) return true;
    if (!this.works) return false;
    const wasShown = isShown(channel);
    if (!wasShown) {
      channel.show(true);
      await until(() => isShown(channel), vscode.window.onDidChangeVisibleTextEditors);
    }
    await this.switch(channel, level);
    // It was opened for the change only: the Output view never stays open by itself.
    if (!wasShown) channel.hide();
    return channel.logLevel === level;
  }

  private async switch(channel: LogOutputChannel, level: LogLevel): Promise<void> {
    try {
      await vscode.commands.executeCommand(`workbench.action.output.activeOutputLogLevel.${level}`);
    } catch {
      this.works = false; // a VS Code without the command
      return;
    }
    this.works = await until(() => channel.logLevel === level, channel.onDidChangeLogLevel);
  }
}

/** Whether the Output view shows this channel: its document, `output:<extension>.<channel>.log`, is then among the visible editors. */
export function isShown(channel: LogOutputChannel): boolean {
  const name = channel.name.replace(/[\\/:*?"<>|]/g, ''); // VS Code names a file by it
  return vscode.window.visibleTextEditors.some(
    ({ document: { uri } }) =>
      uri.scheme === 'output' && (uri.path.endsWith(`.${name}.log`) || uri.path.endsWith(`.${name}`)),
  );
}

/** Waits for a condition that an event announces; answers whether it came about. */
function until<T>(condition: () => boolean, event: vscode.Event<T>): Promise<boolean> {
  if (condition()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (met: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(met);
    };
    const timer = setTimeout(() => end(condition()), patience);
    const listener = event(() => {
      if (condition()) end(true);
    });
  });
}
