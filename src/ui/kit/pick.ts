import * as vscode from 'vscode';
import { plainText } from '../../text/text';

export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: T;
}

/** A separator with a title. */
export interface Heading {
  readonly heading: string;
}

export interface PickOptions<T> {
  readonly title: string;
  readonly placeholder?: string;
  /** An agent asks, not the user: a click elsewhere doesn't answer. */
  readonly isAgentQuestion?: boolean;
  /** Ignores answers at first, in case the user was typing when the picker opened. */
  readonly guarded?: boolean;
  /** The choice to select initially. */
  readonly active?: T | undefined;
  /** Closes the picker. A token of VS Code or of vscode-jsonrpc. */
  readonly token?: {
    readonly isCancellationRequested: boolean;
    onCancellationRequested(listener: () => void): { dispose(): void };
  };
}

/** How long a guarded picker ignores answers, in milliseconds. */
const guardMs = 500;

/** Choices below a heading; nothing if there are none. */
export function section<T>(heading: string, choices: readonly Choice<T>[]): readonly (Choice<T> | Heading)[] {
  return choices.length === 0 ? [] : [{ heading }, ...choices];
}

export type PickItem<T> = vscode.QuickPickItem & { readonly value?: T };

/** The row of a choice or a heading, whatever an agent or a file says in it. */
export function pickItem<T>(choice: Choice<T> | Heading): PickItem<T> {
  if ('heading' in choice) return { label: plainText(choice.heading), kind: vscode.QuickPickItemKind.Separator };
  const { label, description, detail } = choice;
  return {
    ...choice,
    label: plainText(label),
    ...(description !== undefined && { description: plainText(description) }),
    ...(detail !== undefined && { detail: plainText(detail) }),
  };
}

/** Asks for one of several choices. Returns `undefined` if the user dismisses the picker, or the token closes it. */
export async function pick<T>(
  choices: readonly (Choice<T> | Heading)[],
  options: PickOptions<T>,
): Promise<T | undefined> {
  const picker = vscode.window.createQuickPick<PickItem<T>>();
  picker.title = plainText(options.title);
  picker.placeholder = options.placeholder ?? vscode.l10n.t('Type to filter');
  picker.ignoreFocusOut = options.isAgentQuestion === true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = choices.map(pickItem);
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
