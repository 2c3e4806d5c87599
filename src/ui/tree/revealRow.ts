import type { TreeView } from 'vscode';

/**
 * Reveals a row if it is still there. Meanwhile it may have left its page or its run may be gone, which is no reason for the command that
 * led here to fail.
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
