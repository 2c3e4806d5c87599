import * as vscode from 'vscode';
import { clickTarget, CommandTarget } from '../../../kit/commandTarget';
import { commandIds } from '../../../manifest/commands';

/**
 * A row of the tree. To add a kind, extend this and return instances from `children()` of its parent, or from `RootRows.all`. Text from an
 * agent is plain text in a row: no Markdown, no links, no commands.
 */
export abstract class Row {
  /** What commands act on. */
  readonly target: CommandTarget;
  /** Stable, so that selection and expansion survive a refresh. */
  abstract readonly id: string;
  abstract readonly parent: Row | undefined;
  /** How it was drawn, or is going to be. */
  private drawnLook: string | undefined;
  /** As the user left it; `undefined` if it is as it was drawn first. */
  isUnfolded: boolean | undefined;

  constructor(about: Partial<CommandTarget> = {}) {
    this.target = Object.assign(new CommandTarget(), about, { row: this });
  }

  /** The known rows below it. Rows that are refreshed or compared must be the same objects each time. */
  children(): readonly Row[] {
    return [];
  }

  /** Prepares `children()` when the user expands the row. */
  load(): Promise<void> {
    return Promise.resolve();
  }

  /** Called when the user expands or collapses the row. */
  unfolded(isUnfolded: boolean): void {
    this.isUnfolded = isUnfolded;
  }

  /** Reads what `tooltip()` needs besides. */
  prepareTooltip(): Promise<void> {
    return Promise.resolve();
  }

  /** Shown on hover: computed only then. */
  tooltip(): string {
    return labelOf(this.draw());
  }

  item(): vscode.TreeItem {
    const item = this.draw();
    const opened = this.opens();
    if (opened) item.command ??= openCommand(opened);
    this.drawnLook = lookOf(item);
    item.id = this.idOf(item);
    return item;
  }

  /** The ID of its item: another one when it gets its first row, or loses its last. */
  itemId(): string {
    return this.idOf(this.draw());
  }

  private idOf({ collapsibleState }: vscode.TreeItem): string {
    return collapsibleState === vscode.TreeItemCollapsibleState.None ? `${this.id}:leaf` : this.expansionId();
  }

  /** The label and the description. */
  text(): string {
    return textOf(this.draw());
  }

  /** Whether its text or icon has changed since it was drawn, or since VS Code was asked to draw it again. */
  isStale(): boolean {
    return this.drawnLook !== undefined && this.drawnLook !== lookOf(this.draw());
  }

  /** Called when VS Code is asked to draw it again, which may take a while. */
  redrawing(): void {
    if (this.drawnLook !== undefined) this.drawnLook = lookOf(this.draw());
  }

  /** What a click opens in the explorer, unless the row has another command. */
  protected opens(): CommandTarget | undefined {
    const { run, sessionId, request } = this.target;
    return run && clickTarget(run, sessionId, request);
  }

  /** VS Code remembers by this id whether the row is expanded. */
  protected expansionId(): string {
    return this.id;
  }

  /** Label, description, icon, context, command and accessible label; not the id and the tooltip. */
  protected abstract draw(): vscode.TreeItem;
}

/** A `viewItem`: the kind of row, and words for the menus of package.json to test. */
export function contextOf(kind: string, words: Iterable<string>): string {
  return [kind, ...words].join(' ');
}

function openCommand(target: CommandTarget): vscode.Command {
  return { command: commandIds.openExplorer, title: vscode.l10n.t('Open Log Explorer'), arguments: [target] };
}

function labelOf({ label = '' }: vscode.TreeItem): string {
  return typeof label === 'string' ? label : label.label;
}

function lookOf(item: vscode.TreeItem): string {
  const { iconPath } = item;
  return `${iconPath instanceof vscode.ThemeIcon ? iconPath.id : ''} ${textOf(item)}`;
}

function textOf(item: vscode.TreeItem): string {
  const description = typeof item.description === 'string' ? item.description : '';
  return [labelOf(item), description].filter((part) => part !== '').join(' · ');
}
