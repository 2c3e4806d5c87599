import type { TreeView } from 'vscode';

/**
 * Reveals a row if it still exists. Its run may have been removed, or newer records may have replaced it, and neither should fail the command
 * that reveals it.
 */
export async function revealRow<T>(
  view: Pick<TreeView<T>, 'reveal'>,
  row: T,
  options: Parameters<TreeView<T>['reveal']>[1],
): Promise<void> {
  try {
    await view.reveal(row, options);
  } catch {
    // VS Code rejects with "Data tree node not found".
  }
}
