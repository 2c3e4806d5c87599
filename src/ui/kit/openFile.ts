import * as vscode from 'vscode';

/** Opens a file or a document of ours in an editor, or shows where a file is that is too large for one. */
export async function openFile(uri: vscode.Uri, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
  try {
    await vscode.window.showTextDocument(uri, { preview: true, ...options });
  } catch (error) {
    if (uri.scheme !== 'file') throw error;
    await reveal(uri);
  }
}

/** Opens a new document with this text. */
export async function openText(language: string, content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  await vscode.window.showTextDocument(document, { preview: true });
  return document;
}

/** Shows a file in the system's file manager, or in an editor if the window is remote or in a browser. */
export async function revealFile(uri: vscode.Uri): Promise<void> {
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  await (isHere ? reveal(uri) : openFile(uri));
}

async function reveal(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('revealFileInOS', uri);
}
