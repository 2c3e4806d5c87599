import * as vscode from 'vscode';

export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: T;
}

/** A line with a title over the choices that follow it. */
export interface Heading {
  readonly heading: string;
}

export interface PickOptions<T> {
  readonly title: string;
  readonly placeholder?: string;
  /** Keys that were meant for something else are not taken for an answer at first. */
  readonly guarded?: boolean;
  /** The choice that the picker begins at. */
  readonly active?: T | undefined;
  /** Takes the question back. Any library's token will do. */
  readonly token?: {
    readonly isCancellationRequested: boolean;
    onCancellationRequested(listener: () => void): { dispose(): void };
  };
}

/** How long a guarded picker takes no answer, in milliseconds: it may appear under the fingers of somebody who types. */
const guardMs = 500;

/** Asks for one of several; answers `undefined` when the person leaves, or the question was taken back. */
export async function pick<T>(
  choices: readonly (Choice<T> | Heading)[],
  options: PickOptions<T>,
): Promise<T | undefined> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value?: T }>();
  picker.title = options.title;
  picker.placeholder = options.placeholder ?? vscode.l10n.t('Type to narrow the choice');
  // An agent's question must not be answered by a click elsewhere.
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = choices.map((choice) =>
    'heading' in choice ? { label: choice.heading, kind: vscode.QuickPickItemKind.Separator } : { ...choice },
  );
  // Without an active item, Enter would pick nothing.
  const active = picker.items.filter(({ value }) => value !== undefined && value === options.active);
  if (active.length > 0) picker.activeItems = active;
  const withdrawn = options.token?.onCancellationRequested(() => picker.hide());
  try {
    return await new Promise<T | undefined>((resolve) => {
      const shownAt = performance.now();
      picker.onDidAccept(() => {
        if (options.guarded === true && performance.now() - shownAt < guardMs) return;
        resolve(picker.selectedItems[0]?.value);
        picker.hide();
      });
      picker.onDidHide(() => resolve(undefined));
      if (options.token?.isCancellationRequested) resolve(undefined);
      else picker.show();
    });
  } finally {
    withdrawn?.dispose();
    picker.dispose();
  }
}
