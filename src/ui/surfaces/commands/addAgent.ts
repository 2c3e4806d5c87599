import * as vscode from 'vscode';
import type { Protocol } from '../../../wire/protocol';
import { protocols } from '../../../wire/protocol';
import type { JsonObject } from '../../../text/json';
import type { AgentChoice } from '../../services/agents/agentChoices';
import { agentChoices } from '../../services/agents/agentChoices';
import { nameOfCommand, splitCommandLine } from '../../../live/config/commandLine';
import { agentSources, findOnPath } from '../../services/agents/agentSources';
import type { KnownAgent } from '../../../agents/catalogue';
import { agentTarget } from '../../kit/commandTarget';
import { commandIds } from '../../manifest/commands';
import { showInformation } from '../../kit/notify';
import { pick } from '../../kit/pick';
import { executeCommand, openAgentCommand } from '../../services/settings/openSettingCommand';
import type { CommandContext, CommandTable } from './commandContext';
import { optionsOf } from './targets';

const examples: Readonly<Record<Protocol, string>> = {
  acp: 'my-agent --acp',
  mcp: 'npx -y my-mcp-server',
  lsp: 'my-language-server --stdio',
  'stream-json': 'claude -p ${input:prompt} --output-format stream-json --verbose',
};

interface Words {
  /** Asks for the command line. */
  readonly command: string;
  readonly commandHelp: string;
  readonly name: string;
  readonly target: string;
}

/** The questions, by what is added. */
function wordsFor(protocol: Protocol): Words {
  const quotes = vscode.l10n.t("Program and arguments. Quotes work; shell variables and pipes don't.");
  switch (protocol) {
    case 'acp':
      return {
        command: vscode.l10n.t('Command that starts the agent'),
        commandHelp: quotes,
        name: vscode.l10n.t('Name of the agent'),
        target: vscode.l10n.t('Select where to save the agent'),
      };
    case 'mcp':
      return {
        command: vscode.l10n.t('Command that starts the server, or its URL'),
        commandHelp: vscode.l10n.t('Program and arguments, or a URL that starts with http:// or https://.'),
        name: vscode.l10n.t('Name of the server'),
        target: vscode.l10n.t('Select where to save the server'),
      };
    case 'lsp':
      return {
        command: vscode.l10n.t('Command that starts the language server'),
        commandHelp: quotes,
        name: vscode.l10n.t('Name of the language server'),
        target: vscode.l10n.t('Select where to save the language server'),
      };
    case 'stream-json':
      return {
        command: vscode.l10n.t('Command that prints JSON lines'),
        commandHelp: vscode.l10n.t('Program and arguments. `${input:prompt}` asks for the prompt at each start.'),
        name: vscode.l10n.t('Name of the command'),
        target: vscode.l10n.t('Select where to save the command'),
      };
  }
}

/** How to reach an agent: a program to start, or a URL. */
type Reached = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

interface NewAgent {
  readonly name: string;
  /** An entry of `agentLogs.agents`. */
  readonly entry: JsonObject;
}

/** Adds an agent to the settings, step by step. */
export const addAgentCommands = { [commandIds.addAgent]: addAgent } satisfies CommandTable;

/** @param arg `{ agent }`: an installed agent of the catalogue; without it, the user picks one */
async function addAgent(services: CommandContext, arg: unknown): Promise<void> {
  const chosen = await choose(services, optionsOf(arg)['agent']);
  if (chosen === undefined) return;
  if (chosen.type === 'sample') {
    await vscode.commands.executeCommand(commandIds.startSampleAgent);
    return;
  }
  const agent = await agentOf(services, chosen);
  if (!agent) return;
  const target = await pickTarget(agent);
  if (target === undefined) return;
  await services.configuration.addAgent(agent.name, agent.entry, target);
  await offerStart(agent);
}

async function agentOf(
  services: CommandContext,
  chosen: Exclude<AgentChoice, { type: 'sample' }>,
): Promise<NewAgent | undefined> {
  switch (chosen.type) {
    case 'command':
      return ask(services, '', '', chosen.protocol);
    case 'installed':
      return ask(services, chosen.agent.name, chosen.agent.commandLine);
    case 'missing':
      return (await explainInstallation(chosen.agent))
        ? ask(services, chosen.agent.name, chosen.agent.commandLine)
        : undefined;
    case 'found':
      return namedAgent(services, chosen.agent.name, chosen.agent.entry);
  }
}

/** Shows how to install an agent. Returns whether to add it now. */
async function explainInstallation({ name, install }: KnownAgent): Promise<boolean> {
  const isPage = install.startsWith('https://');
  const help = isPage ? vscode.l10n.t('Open Instructions') : vscode.l10n.t('Copy Command');
  const add = vscode.l10n.t('Add Anyway');
  const message = isPage
    ? vscode.l10n.t("{0} isn't on VS Code's PATH. To install it, follow {1}", name, install)
    : vscode.l10n.t(`{0} isn't on VS Code's PATH. To install it, run "{1}".`, name, install);
  const picked = await showInformation(message, help, add);
  if (picked !== help) return picked === add;
  if (isPage) await vscode.env.openExternal(vscode.Uri.parse(install));
  else await vscode.env.clipboard.writeText(install);
  const now = vscode.l10n.t('Add {0}', name);
  const next = isPage
    ? vscode.l10n.t("Add {0} once it's installed?", name)
    : vscode.l10n.t("Command copied. Add {0} once it's installed?", name);
  return (await showInformation(next, now)) === now;
}

async function ask(
  services: CommandContext,
  name: string,
  commandLine: string,
  protocol: Protocol = 'acp',
): Promise<NewAgent | undefined> {
  const reached = await askReached(protocol, commandLine);
  if (!reached) return undefined;
  const protocolField = protocol === 'acp' ? {} : { protocol };
  const [own, entry] =
    'url' in reached
      ? [new URL(reached.url).hostname, { ...protocolField, url: reached.url }]
      : [
          nameOfCommand(reached.command, reached.args),
          { ...protocolField, command: reached.command, args: reached.args },
        ];
  return namedAgent(services, name || own, entry);
}

async function namedAgent(
  services: CommandContext,
  proposed: string,
  entry: JsonObject,
): Promise<NewAgent | undefined> {
  const title = wordsFor(protocolOf(entry)).name;
  const name = await askName(title, proposed, (taken) => services.configuration.hasAgent(taken));
  return name === undefined ? undefined : { name, entry };
}

function protocolOf(entry: JsonObject): Protocol {
  return protocols.find((protocol) => protocol === entry['protocol']) ?? 'acp';
}

function pickTarget({ entry }: NewAgent): Promise<vscode.ConfigurationTarget | undefined> {
  // The agents of an untrusted workspace can't be read, so writing would replace them.
  const { workspaceFolders, isTrusted } = vscode.workspace;
  if (workspaceFolders === undefined || !isTrusted) return Promise.resolve(vscode.ConfigurationTarget.Global);
  const hasSecrets = 'env' in entry || 'headers' in entry;
  return pick(
    [
      {
        label: vscode.l10n.t('$(account) User settings'),
        description: vscode.l10n.t('for all workspaces'),
        value: vscode.ConfigurationTarget.Global,
      },
      {
        label: vscode.l10n.t('$(root-folder) Workspace settings'),
        description: hasSecrets
          ? vscode.l10n.t('shared with everyone who uses this workspace, including variables and headers')
          : vscode.l10n.t('shared with everyone who uses this workspace'),
        value: vscode.ConfigurationTarget.Workspace,
      },
    ],
    { title: wordsFor(protocolOf(entry)).target },
  );
}

async function offerStart({ name }: NewAgent): Promise<void> {
  const start = vscode.l10n.t('Start');
  const setting = vscode.l10n.t('Open Setting');
  const picked = await showInformation(vscode.l10n.t('Added {0} to agentLogs.agents.', name), start, setting);
  if (picked === start) await vscode.commands.executeCommand(commandIds.start, agentTarget(name));
  if (picked === setting) await executeCommand(openAgentCommand(name));
}

async function choose({ configuration }: CommandContext, name: unknown): Promise<AgentChoice | undefined> {
  const sources = await agentSources();
  const named = sources.installed.find((agent) => agent.name === name);
  if (named) return { type: 'installed', agent: named };
  const { redactorFor } = await import('../../../redact/redactorFor');
  return pick(agentChoices(sources, redactorFor(configuration.ownRedaction)), {
    title: vscode.l10n.t('Select an agent to add'),
  });
}

/** Asks for an agent's command line, or for an MCP server's URL. Validates while the user types. */
async function askReached(protocol: Protocol, proposed: string): Promise<Reached | undefined> {
  const isUrl = (line: string): boolean => protocol === 'mcp' && /^https?:\/\//i.test(line.trim());
  const { command: title, commandHelp } = wordsFor(protocol);
  const line = await vscode.window.showInputBox({
    title,
    prompt: commandHelp,
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
async function askName(
  title: string,
  proposed: string,
  isTaken: (name: string) => boolean,
): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title,
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
  if (name.trim() === '') return vscode.l10n.t('Enter a name.');
  return isTaken(name.trim()) ? vscode.l10n.t('This name is taken.') : undefined;
}

function freeName(proposed: string, isTaken: (name: string) => boolean): string {
  let name = proposed;
  for (let number = 2; isTaken(name); number++) name = `${proposed} ${number}`;
  return name;
}
