import * as vscode from 'vscode';
import type { WatchedServer } from '../../../../mcpServers/watchMemory';
import { shownLine } from '../../../../text/text';
import { accessibleLabel } from '../format';
import { Row } from './row';

/** The MCP servers of other clients that are started through the tap. Their runs are rows of their own. */
export class WatchedServersRow extends Row {
  static readonly context = 'watchedServers stopWatchingMcpServers';
  readonly id = 'watchedServers';
  readonly parent = undefined;

  constructor(private readonly servers: () => readonly WatchedServer[]) {
    super();
  }

  override tooltip(): string {
    const lines = this.servers().map(({ path, client, file }) => `${path.at(-1) ?? ''} · ${client} · ${file}`);
    return [vscode.l10n.t('Their commands go through the Agent Logs tap'), ...lines].join('\n');
  }

  protected draw(): vscode.TreeItem {
    const label = vscode.l10n.t('Watched MCP Servers');
    const item = new vscode.TreeItem(label);
    item.description = shownLine(
      this.servers()
        .map(({ path }) => path.at(-1) ?? '')
        .join(', '),
      100,
    );
    item.iconPath = new vscode.ThemeIcon('eye');
    item.contextValue = WatchedServersRow.context;
    item.accessibilityInformation = accessibleLabel(label, item.description);
    return item;
  }
}
