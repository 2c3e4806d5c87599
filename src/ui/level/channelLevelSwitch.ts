import type { LogLevel, LogOutputChannel } from 'vscode';
import * as vscode from 'vscode';

/** How long VS Code may take to show a channel, in milliseconds: a busy machine takes seconds to open the view for the first time. */
const showPatience = 10_000;
/** How long it may take to change the level of one that is shown, in milliseconds: where the command does nothing, this is waited once. */
const switchPatience = 3000;

/** The documents of this extension's channels are `output:<extension>.<channel>.log`; VS Code 1.93 leaves out the ending. */
const extensionId = 'agent-logs.agent-logs';

/**
 * Changes the level of a LogOutputChannel, which VS Code has no method for (microsoft/vscode#223536): its command works on the channel that
 * the Output view shows, so the view has to show it.
 */
export class ChannelLevelSwitch {
  /** VS Code 1.93 has the command, but it does nothing: then the view is not opened a second time. */
  private works = true;
  private hasWorked = false;

  /** Changes the level of a channel that is shown, or about to be. */
  async applyShown(channel: LogOutputChannel, level: LogLevel): Promise<boolean> {
    if (channel.logLevel === level) return true;
    if (!this.works) return false;
    // On any other channel the command must not be used.
    if (await until(() => isShown(channel), vscode.window.onDidChangeVisibleTextEditors, showPatience)) {
      await this.switch(channel, level);
    }
    return channel.logLevel === level;
  }

  /**
   * Changes the level of a channel, whether it is shown or not. One that is not is shown for a moment, and what was in the Output view
   * before is shown again: the view never opens by itself.
   */
  async apply(channel: LogOutputChannel, level: LogLevel): Promise<boolean> {
    if (channel.logLevel === level) return true;
    if (!this.works) return false;
    if (isShown(channel)) return this.applyShown(channel, level);
    const before = shownOutput();
    channel.show(true);
    const applied = await this.applyShown(channel, level);
    if (before === undefined) channel.hide();
    else await showAgain(before);
    return applied;
  }

  private async switch(channel: LogOutputChannel, level: LogLevel): Promise<void> {
    try {
      await vscode.commands.executeCommand(`workbench.action.output.activeOutputLogLevel.${level}`);
    } catch {
      this.works = false; // a VS Code without the command
      return;
    }
    const isDone = await until(() => channel.logLevel === level, channel.onDidChangeLogLevel, switchPatience);
    this.hasWorked ||= isDone;
    this.works = this.hasWorked; // where it does, that it took too long once says nothing
  }
}

/** Whether the Output view shows this channel: its document is then among the visible editors. */
export function isShown(channel: LogOutputChannel): boolean {
  const id = `${extensionId}.${channel.name.replace(/[\\/:*?"<>|]/g, '')}`; // VS Code names a file by it
  const shown = shownOutput();
  return shown === id || shown === `${id}.log`;
}

/**
 * Whether something else may stand in the panel where the Output view would be shown: a terminal or the debug console. Nothing tells an
 * extension which view is in front, and none could be put back there.
 */
export function isPanelInUse(): boolean {
  if (shownOutput() !== undefined) return false;
  return vscode.window.terminals.length > 0 || vscode.debug.activeDebugSession !== undefined;
}

/** What the Output view shows. The same document may be open in a tab, which the command has nothing to do with: that has a column. */
function shownOutput(): string | undefined {
  const isInView = ({ document, viewColumn }: vscode.TextEditor): boolean =>
    document.uri.scheme === 'output' && viewColumn === undefined;
  return vscode.window.visibleTextEditors.find(isInView)?.document.uri.path;
}

/** There is a command for each channel, by its id. Which part of the document's name that is, differs between kinds of channels. */
async function showAgain(path: string): Promise<void> {
  for (const id of [path.replace(/\.log$/, ''), path]) {
    try {
      await vscode.commands.executeCommand(`workbench.action.output.show.${id}`);
      return;
    } catch {
      // not its id
    }
  }
}

/** Waits for a condition that an event announces; answers whether it came about. */
function until<T>(condition: () => boolean, event: vscode.Event<T>, patience: number): Promise<boolean> {
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
