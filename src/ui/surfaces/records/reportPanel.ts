import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { markdownHtml } from '../../../text/markdownHtml';
import { DisposableOwner } from '../../kit/disposables';

/** Shows the newest report of a kind, rendered. Its page has no scripts, and may load nothing. */
export class ReportPanel extends DisposableOwner {
  private panel: vscode.WebviewPanel | undefined;
  private links: ReadonlyMap<string, () => unknown> = new Map();

  constructor(private readonly viewType: string) {
    super();
    this.own({
      dispose: () => {
        this.panel?.dispose();
      },
    });
  }

  /** Replaces what it shows. @param links what a click on code does, by that code */
  show(title: string, markdown: string, links: ReadonlyMap<string, () => unknown> = new Map()): void {
    this.links = links;
    const panel = (this.panel ??= this.opened(title));
    panel.title = title;
    const uris = [...links.keys()].map((code): [string, string] => [code, this.uriOf(code)]);
    panel.webview.html = reportHtml(title, markdownHtml(markdown, new Map(uris)));
    panel.reveal();
  }

  private get command(): string {
    return `${this.viewType}.follow`;
  }

  private uriOf(code: string): string {
    return `command:${this.command}?${encodeURIComponent(JSON.stringify([code]))}`;
  }

  private opened(title: string): vscode.WebviewPanel {
    const options = { enableFindWidget: true, localResourceRoots: [], enableCommandUris: [this.command] };
    const panel = vscode.window.createWebviewPanel(this.viewType, title, vscode.ViewColumn.Active, options);
    // In a remote window, only we know where our files are, so the page can't open them itself.
    const command = vscode.commands.registerCommand(this.command, (code: unknown) => this.links.get(String(code))?.());
    panel.onDidDispose(() => {
      command.dispose();
      this.panel = undefined;
    });
    return panel;
  }
}

function reportHtml(title: string, body: string): string {
  const nonce = randomBytes(18).toString('base64');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>${body}</body>
</html>`;
}

const style = `
body { max-width: 70em; padding: 0 2em 2em; line-height: 1.5; overflow-wrap: anywhere; }
h1 { font-size: 1.6em; font-weight: normal; }
h2 { font-size: 1.3em; margin-top: 1.6em; padding-bottom: 0.2em; border-bottom: 1px solid var(--vscode-widget-border, transparent); }
ul { padding-left: 1.5em; }
li { margin: 0.3em 0; }
code { font-family: var(--vscode-editor-font-family); }
a, a code { color: var(--vscode-textLink-foreground); }
`;
