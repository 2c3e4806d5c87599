import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The files of a page, by name. */
interface PageFiles {
  readonly script: string;
  readonly style: string;
}

const explorerFiles: PageFiles = { script: 'explorer.js', style: 'style.css' };

/** A page's HTML. Its policy allows our two files only. */
export function pageHtml(webview: vscode.Webview, folder: vscode.Uri, { script, style } = explorerFiles): string {
  const nonce = randomBytes(18).toString('base64');
  const uriOf = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Agent Logs</title>
<link rel="stylesheet" href="${uriOf(style)}">
</head>
<body>
<script nonce="${nonce}" src="${uriOf(script)}"></script>
</body>
</html>`;
}
