import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { markdownHtml } from '../../../text/markdownHtml';
import { DisposableOwner } from '../../kit/disposables';

/** Shows the newest report of a kind, rendered. Its page has no scripts, and may load nothing. */
export class ReportPanel extends DisposableOwner {
  private panel: vscode.WebviewPanel | undefined;

  constructor(private readonly viewType: string) {
    super();
    this.own({
      dispose: () => {
        this.panel?.dispose();
      },
    });
  }

  /** Replaces what it shows. */
  show(title: string, markdown: string): void {
    const panel = (this.panel ??= this.opened(title));
    panel.title = title;
    panel.webview.html = reportHtml(title, markdown);
    panel.reveal();
  }

  private opened(title: string): vscode.WebviewPanel {
    const options = { enableFindWidget: true, localResourceRoots: [] };
    const panel = vscode.window.createWebviewPanel(this.viewType, title, vscode.ViewColumn.Active, options);
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    return panel;
  }
}

function reportHtml(title: string, markdown: string): string {
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
<body>${markdownHtml(markdown)}</body>
</html>`;
}

const style = `
body { max-width: 70em; padding: 0 2em 2em; line-height: 1.5; overflow-wrap: anywhere; }
h1 { font-size: 1.6em; font-weight: normal; }
h2 { font-size: 1.3em; margin-top: 1.6em; padding-bottom: 0.2em; border-bottom: 1px solid var(--vscode-widget-border, transparent); }
ul { padding-left: 1.5em; }
li { margin: 0.3em 0; }
code { font-family: var(--vscode-editor-font-family); }
`;
