import * as vscode from 'vscode';
import type { Workbench } from './workbench';

/** Pictures are for people: with all of them, the suites take a third longer. */
export const arePicturesWanted = process.env['AGENT_LOGS_PICTURES'] === '1';

/** Takes screenshots/NAME-dark.png and NAME-light.png, if pictures are wanted. */
export async function takeInThemes(workbench: Workbench, name: string): Promise<void> {
  if (!arePicturesWanted) return;
  await workbench.inTheme('Default Dark Modern', () => workbench.screenshot(`${name}-dark`));
  await workbench.inTheme('Default Light Modern', () => workbench.screenshot(`${name}-light`));
}

/** Takes screenshots/NAME-narrow.png without the side bar in a window of this width, if pictures are wanted. */
export async function takeNarrow(workbench: Workbench, width: number, name: string): Promise<void> {
  if (!arePicturesWanted) return;
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
  await workbench.inSize({ width }, () => workbench.screenshot(`${name}-narrow`));
  await vscode.commands.executeCommand('agentLogs.sessions.focus');
}
