import * as vscode from 'vscode';
import { objectOf } from '../../protocols/json';
import { splitCommandLine } from '../../runs/commandLine';
import { prefix } from '../ids';
import { findOnPath } from './agentSources';

/** Asks for the command line of an agent. What is typed is looked at meanwhile. */
export async function askCommandLine(proposed: string): Promise<readonly [string, ...string[]] | undefined> {
  const line = await vscode.window.showInputBox({
    title: vscode.l10n.t('Command that starts the agent'),
    prompt: vscode.l10n.t('Program and arguments. There is no shell: quotes work, variables and pipes do not.'),
    placeHolder: 'my-agent --acp',
    value: proposed,
    ignoreFocusOut: true,
    validateInput: validateCommandLine,
  });
  const [command, ...args] = line === undefined ? [] : (splitCommandLine(line, process.platform) ?? []);
  return command === undefined ? undefined : [command, ...args];
}

/** Asks for a name that no agent has. */
export async function askName(proposed: string): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name of the agent'),
    value: freeName(proposed),
    ignoreFocusOut: true,
    validateInput: validateName,
  });
  return name?.trim();
}

async function validateCommandLine(line: string): Promise<string | vscode.InputBoxValidationMessage | undefined> {
  const words = splitCommandLine(line, process.platform);
  if (words === undefined) return vscode.l10n.t('A quote is not closed.');
  const [command] = words;
  if (command === undefined || command === '') return vscode.l10n.t('Give the program to start.');
  // What a variable stands for is known when the agent is started.
  if (command.includes('${') || (await findOnPath(command)) !== undefined) return undefined;
  return {
    message: vscode.l10n.t('There is no program "{0}" on the PATH of VS Code. It can be added all the same.', command),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

function validateName(name: string): string | undefined {
  if (name.trim() === '') return vscode.l10n.t('Give the agent a name.');
  return isTaken(name.trim()) ? vscode.l10n.t('There is an agent of that name already.') : undefined;
}

function freeName(proposed: string): string {
  let name = proposed;
  for (let number = 2; isTaken(name); number++) name = `${proposed} ${number}`;
  return name;
}

function isTaken(name: string): boolean {
  return Object.hasOwn(objectOf(vscode.workspace.getConfiguration(prefix).get<unknown>('agents')), name);
}
