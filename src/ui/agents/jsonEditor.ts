import * as vscode from 'vscode';
import type { JsonObject } from '../../protocols/json';
import { isObject } from '../../protocols/json';
import { showInformation } from '../notify';

/** Lets the user edit an object as JSON in a separate editor. Returns `undefined` if they cancel. */
export async function editJson(title: string, object: JsonObject): Promise<JsonObject | undefined> {
  const document = await vscode.workspace.openTextDocument({
    language: 'json',
    content: JSON.stringify(object, null, 2),
  });
  await vscode.window.showTextDocument(document);
  const go = vscode.l10n.t('Go On');
  const cancel = vscode.l10n.t('Cancel');
  const question = vscode.l10n.t('{0}: edit them in the editor, then go on.', title);
  for (let problem: string | undefined; ;) {
    const picked = await showInformation(problem ?? question, go, cancel);
    if (picked !== go) return undefined;
    const edited = objectIn(document.getText());
    if (edited) return edited;
    problem = vscode.l10n.t('{0}: the editor does not hold a JSON object. Correct it, then go on.', title);
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
