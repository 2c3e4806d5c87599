import * as vscode from 'vscode';
import { splitCommandLine } from '../../runs/commandLine';
import { objectOf } from '../../protocols/json';
import { commandIds, prefix } from '../ids';
import { tellInformation } from '../notify';
import { pick } from '../pick';
import { agentNode } from '../tree/treeNode';
import type { CommandTable } from './commandTable';

interface Template {
  readonly name: string;
  readonly commandLine: string;
  readonly detail: string;
}

/** ACP agents as their own documentation starts them. */
const templates: readonly Template[] = [
  {
    name: 'Claude Code',
    commandLine: 'claude-agent-acp',
    detail: 'npm install -g @agentclientprotocol/claude-agent-acp',
  },
  { name: 'Codex', commandLine: 'codex-acp', detail: 'npm install -g @agentclientprotocol/codex-acp' },
  { name: 'Gemini CLI', commandLine: 'gemini --acp', detail: 'npm install -g @google/gemini-cli' },
  { name: 'GitHub Copilot', commandLine: 'copilot --acp', detail: 'npm install -g @github/copilot' },
  { name: 'OpenCode', commandLine: 'opencode acp', detail: 'npm install -g opencode-ai' },
  { name: 'Qwen Code', commandLine: 'qwen --acp', detail: 'npm install -g @qwen-code/qwen-code' },
];

interface NewAgent {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The command that adds an agent to the settings, step by step. */
export class AddAgentCommand {
  readonly table: CommandTable = { [commandIds.addAgent]: () => this.addAgent() };

  private async addAgent(): Promise<void> {
    const template = await this.pickTemplate();
    if (template === undefined) return;
    if (template === 'sample') {
      await vscode.commands.executeCommand(commandIds.startSampleAgent);
      return;
    }
    const agent = await this.ask(template);
    if (!agent) return;
    const target = await this.pickTarget();
    if (target === undefined) return;
    await this.write(agent, target);
    await this.offerStart(agent);
  }

  private pickTemplate(): Promise<Template | 'sample' | undefined> {
    const custom: Template = { name: '', commandLine: '', detail: '' };
    return pick<Template | 'sample'>(
      [
        {
          label: vscode.l10n.t('$(terminal) A command of your own…'),
          description: vscode.l10n.t(
            'any program that speaks the Agent Client Protocol on its standard input and output',
          ),
          value: custom,
        },
        {
          label: vscode.l10n.t('$(beaker) The sample agent'),
          description: vscode.l10n.t('comes with this extension: no installation, no key'),
          value: 'sample',
        },
        ...templates.map((template) => ({
          label: `$(robot) ${template.name}`,
          description: template.commandLine,
          detail: template.detail,
          value: template,
        })),
      ],
      { title: vscode.l10n.t('Add which agent?') },
    );
  }

  private async ask(template: Template): Promise<NewAgent | undefined> {
    const line = await vscode.window.showInputBox({
      title: vscode.l10n.t('Command that starts the agent (1 of 2)'),
      prompt: vscode.l10n.t('Program and arguments. There is no shell: quotes work, variables and pipes do not.'),
      placeHolder: 'my-agent --acp',
      value: template.commandLine,
      ignoreFocusOut: true,
      validateInput: validateCommandLine,
    });
    const [command, ...args] = line === undefined ? [] : (splitCommandLine(line, process.platform) ?? []);
    if (command === undefined) return undefined;
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Name of the agent (2 of 2)'),
      value: template.name || (command.split(/[\\/]/).pop() ?? command),
      ignoreFocusOut: true,
      validateInput: validateName,
    });
    return name === undefined ? undefined : { name: name.trim(), command, args };
  }

  private pickTarget(): Promise<vscode.ConfigurationTarget | undefined> {
    if (vscode.workspace.workspaceFolders === undefined) return Promise.resolve(vscode.ConfigurationTarget.Global);
    return pick(
      [
        {
          label: vscode.l10n.t('$(account) User settings'),
          description: vscode.l10n.t('for all folders'),
          value: vscode.ConfigurationTarget.Global,
        },
        {
          label: vscode.l10n.t('$(root-folder) Workspace settings'),
          description: vscode.l10n.t('for this folder, and whoever shares it'),
          value: vscode.ConfigurationTarget.Workspace,
        },
      ],
      { title: vscode.l10n.t('Save it where?') },
    );
  }

  private async write({ name, command, args }: NewAgent, target: vscode.ConfigurationTarget): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(prefix);
    const inspected = configuration.inspect<unknown>('agents');
    const before = target === vscode.ConfigurationTarget.Global ? inspected?.globalValue : inspected?.workspaceValue;
    await configuration.update('agents', { ...objectOf(before), [name]: { command, args } }, target);
  }

  private async offerStart({ name }: NewAgent): Promise<void> {
    const start = vscode.l10n.t('Start');
    const setting = vscode.l10n.t('Open Setting');
    const picked = await tellInformation(vscode.l10n.t('{0} was added to agentLogs.agents.', name), start, setting);
    if (picked === start) await vscode.commands.executeCommand(commandIds.start, agentNode(name));
    if (picked === setting) await vscode.commands.executeCommand('workbench.action.openSettings', `${prefix}.agents`);
  }
}

function validateCommandLine(line: string): string | undefined {
  const words = splitCommandLine(line, process.platform);
  if (words === undefined) return vscode.l10n.t('A quote is not closed.');
  return words[0] === undefined || words[0] === '' ? vscode.l10n.t('Give the program to start.') : undefined;
}

function validateName(name: string): string | undefined {
  if (name.trim() === '') return vscode.l10n.t('Give the agent a name.');
  const agents = vscode.workspace.getConfiguration(prefix).get<unknown>('agents');
  return Object.hasOwn(objectOf(agents), name.trim())
    ? vscode.l10n.t('There is an agent of that name already.')
    : undefined;
}
