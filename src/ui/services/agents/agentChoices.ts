import * as vscode from 'vscode';
import type { Protocol } from '../../../wire/protocol';
import type { JsonObject } from '../../../text/json';
import { arrayOf } from '../../../text/json';
import type { Redactor } from '../../../redact/redactor';
import { redactWords } from '../../../runLog/reading/redactEvent';
import { labelText } from '../../kit/notify';
import type { Choice, Heading } from '../../kit/pick';
import { section } from '../../kit/pick';
import type { KnownAgent } from '../../../agents/catalogue';
import type { Installation } from './catalogue';
import type { FoundAgent } from '../../../mcpServers/otherClients';

/** A row of the picker for adding an agent. */
export type AgentChoice =
  | { readonly type: 'sample' }
  | { readonly type: 'command'; readonly protocol: Protocol }
  | { readonly type: 'installed'; readonly agent: KnownAgent }
  | { readonly type: 'missing'; readonly agent: KnownAgent }
  | { readonly type: 'found'; readonly agent: FoundAgent };

/** Agents found on this machine. */
export interface AgentSources extends Installation {
  readonly otherClients: readonly FoundAgent[];
  readonly workspace: readonly FoundAgent[];
}

/**
 * The picker's rows. Empty sections have no heading.
 * @param redactor for arguments in settings files
 */
export function agentChoices(sources: AgentSources, redactor: Redactor): readonly (Choice<AgentChoice> | Heading)[] {
  return [
    {
      label: vscode.l10n.t('$(terminal) A command of your own…'),
      description: vscode.l10n.t('any program that speaks the Agent Client Protocol'),
      value: { type: 'command', protocol: 'acp' },
    },
    {
      label: vscode.l10n.t('$(beaker) The sample agent'),
      description: vscode.l10n.t('comes with this extension: no installation, no key'),
      value: { type: 'sample' },
    },
    {
      label: vscode.l10n.t('$(server) An MCP server…'),
      description: vscode.l10n.t('started by a command, or reached at a URL'),
      value: { type: 'command', protocol: 'mcp' },
    },
    {
      label: vscode.l10n.t('$(json) A command that prints JSON lines…'),
      description: vscode.l10n.t('claude -p, codex exec, gemini, qwen, opencode run, copilot -p, pi, cline, kimi -p'),
      value: { type: 'command', protocol: 'stream-json' },
    },
    {
      label: vscode.l10n.t('$(code) A language server…'),
      description: vscode.l10n.t('any program that speaks the Language Server Protocol'),
      value: { type: 'command', protocol: 'lsp' },
    },
    ...section(
      vscode.l10n.t('On this machine'),
      sources.installed.map((agent) => knownChoice(agent, { type: 'installed', agent })),
    ),
    ...section(
      vscode.l10n.t('In other clients’ settings'),
      sources.otherClients.map((agent) =>
        foundChoice('robot', vscode.l10n.t('from {0}', agent.source), agent, redactor),
      ),
    ),
    ...section(
      vscode.l10n.t('In this workspace'),
      sources.workspace.map((agent) =>
        foundChoice('server', vscode.l10n.t('MCP server of {0}', agent.source), agent, redactor),
      ),
    ),
    ...section(
      vscode.l10n.t('Not installed'),
      sources.missing.map((agent) => ({ ...knownChoice(agent, { type: 'missing', agent }), detail: agent.install })),
    ),
  ];
}

function knownChoice({ name, commandLine }: KnownAgent, value: AgentChoice): Choice<AgentChoice> {
  const icon = value.type === 'missing' ? 'cloud-download' : 'robot';
  return { label: `$(${icon}) ${name}`, description: commandLine, value };
}

function foundChoice(icon: string, description: string, agent: FoundAgent, redactor: Redactor): Choice<AgentChoice> {
  return {
    label: `$(${icon}) ${labelText(agent.name)}`,
    description,
    detail: labelText(wordsOf(agent.entry, redactor), 200),
    value: { type: 'found', agent },
  };
}

/** The command line or URL, without variables and headers, which may be secrets. */
function wordsOf({ command, args, url }: JsonObject, redactor: Redactor): string {
  const words = typeof url === 'string' ? [url] : [command, ...arrayOf(args)].map(String);
  return redactWords(words, redactor).join(' ');
}
