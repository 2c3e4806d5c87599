import * as vscode from 'vscode';
import type { Protocol } from '../../log/protocol';
import { splitCommandLine } from '../../runs/config/commandLine';
import { findOnPath } from './agentSources';

const examples: Readonly<Record<Protocol, string>> = {
  acp: 'my-agent --acp',
  mcp: 'npx -y my-mcp-server',
  lsp: 'my-language-server --stdio',
  'stream-json': 'claude -p ${input:prompt} --output-format stream-json --verbose',
};

/** How to reach an agent: a program to start, or a URL. */
export type Reached = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

/** Asks for an agent's command line, or for an MCP server's URL. Validates while the user types. */
export async function askReached(protocol: Protocol, proposed: string): Promise<Reached | undefined> {
  const isUrl = (line: string): boolean => protocol === 'mcp' && /^https?:\/\//i.test(line.trim());
  const line = await vscode.window.showInputBox({
    title:
      protocol === 'mcp'
        ? vscode.l10n.t('Command that starts the server, or its URL')
        : vscode.l10n.t('Command that starts the agent'),
    prompt: vscode.l10n.t("Program and arguments. Quotes work; shell variables and pipes don't."),
    placeHolder: examples[protocol],
    value: proposed,
    validateInput: (typed) => (isUrl(typed) ? validateUrl(typed) : validateCommandLine(typed)),
  });
  if (line === undefined) return undefined;
  if (isUrl(line)) return { url: line.trim() };
  const [command, ...args] = splitCommandLine(line, process.platform) ?? [];
  return command === undefined ? undefined : { command, args };
}

/** Asks for a name that isn't taken yet. */
export async function askName(proposed: string, isTaken: (name: string) => boolean): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name of the agent'),
    value: freeName(proposed, isTaken),
    validateInput: (typed) => validateName(typed, isTaken),
  });
  return name?.trim();
}

function validateUrl(url: string): string | undefined {
  return URL.canParse(url.trim()) ? undefined : vscode.l10n.t('Invalid URL.');
}

async function validateCommandLine(line: string): Promise<string | vscode.InputBoxValidationMessage | undefined> {
  const words = splitCommandLine(line, process.platform);
  if (words === undefined) return vscode.l10n.t('Unclosed quote.');
  const [command] = words;
  if (command === undefined || command === '') return vscode.l10n.t('Enter the program to start.');
  // Variables are resolved when the agent starts.
  if (command.includes('${') || (await findOnPath(command)) !== undefined) return undefined;
  return {
    message: vscode.l10n.t("'{0}' isn't on VS Code's PATH. Add it anyway?", command),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

function validateName(name: string, isTaken: (name: string) => boolean): string | undefined {
  if (name.trim() === '') return vscode.l10n.t('Give the agent a name.');
  return isTaken(name.trim()) ? vscode.l10n.t('There is an agent of that name already.') : undefined;
}

function freeName(proposed: string, isTaken: (name: string) => boolean): string {
  let name = proposed;
  for (let number = 2; isTaken(name); number++) name = `${proposed} ${number}`;
  return name;
}
