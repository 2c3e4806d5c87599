import * as vscode from 'vscode';
import { plainText } from '../../../text/text';
import type { PickItem } from '../../kit/pick';
import { pickItem } from '../../kit/pick';
import type { SessionCommand } from '../../../protocols/interpreter';

type Item = PickItem<SessionCommand>;

/**
 * Asks for a prompt. Lists the agent's commands while they fit what is typed: picking one completes it, and Enter sends.
 * @param commands what the agent says it understands
 */
export async function askPrompt(title: string, commands: readonly SessionCommand[]): Promise<string | undefined> {
  if (commands.length === 0) return askText(title);
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = plainText(title);
  picker.placeholder = vscode.l10n.t("Type a prompt, or pick one of the agent's commands");
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = false;
  const items = commands.map(itemOf);
  // Picking it while other text is typed sends that text: no command matches.
  const send: Item = { label: vscode.l10n.t('$(send) Send'), alwaysShow: true };
  const draw = (): void => {
    const typed = picker.value.trim();
    const isCommand = commands.some(({ name }) => `/${name}`.startsWith(typed));
    // The first item is the one that Enter picks.
    picker.items = typed === '' ? items : isCommand ? [...items, send] : [send, ...items];
  };
  try {
    return await new Promise<string | undefined>((resolve) => {
      picker.onDidChangeValue(draw);
      picker.onDidAccept(() => {
        const typed = picker.value.trim();
        const command = completed(picker.selectedItems[0]?.value, typed);
        if (command) {
          picker.value = `/${command.name} `;
          draw();
        } else if (typed !== '') resolve(typed);
      });
      picker.onDidHide(() => resolve(undefined));
      draw();
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

/** The picked command, unless it is typed already, or the list lags behind what was typed. */
function completed(picked: SessionCommand | undefined, typed: string): SessionCommand | undefined {
  const whole = picked && `/${picked.name}`;
  return whole !== undefined && whole !== typed && whole.toLowerCase().includes(typed.toLowerCase())
    ? picked
    : undefined;
}

function itemOf(command: SessionCommand): Item {
  const { name, description, hint } = command;
  return pickItem({
    label: `/${name}`,
    ...(hint !== undefined && { description: hint }),
    ...(description !== '' && { detail: description }),
    value: command,
  });
}

async function askText(title: string): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t("The agent's work appears in the Sessions view."),
  });
  return text === '' ? undefined : text;
}
