import * as vscode from 'vscode';
import { shownLine } from '../../../text/text';
import type { AcpClientOptions } from '../../../live/acp/acpClient';
import type { PermissionAsker } from '../../../live/acp/permissions';
import type { ShowMessage } from '../../../live/lsp/lspMessages';
import type { AskUser } from '../../../live/mcp/elicitation';
import { defaultsIn } from '../../../live/mcp/elicitation';
import type { Configuration } from '../configuration';
import { agentOutputLink, labelText, showError, showInformation, showWarning } from '../../kit/notify';
import { openPage } from '../../kit/openPage';
import { pick } from '../../kit/pick';

/** Puts the questions and messages of agents to the user. Each method returns the function for one agent. */
export class AgentQuestions {
  private lastPermission: Promise<unknown> = Promise.resolve();

  constructor(private readonly configuration: Configuration) {}

  /** Asks for permissions one at a time. */
  askPermission(agent: string): PermissionAsker {
    return (request, token) => {
      if (this.configuration.rejectsPermissions) return Promise.resolve(undefined);
      const answer = this.lastPermission.then(async () => {
        const { askPermission } = await import('./askPermission');
        return token.isCancellationRequested ? undefined : askPermission(agent, request, token);
      });
      this.lastPermission = answer.catch(() => undefined);
      return answer;
    };
  }

  /** Asks which of the agent's login methods to use. */
  chooseAuthMethod(agent: string): AcpClientOptions['chooseAuthMethod'] {
    return (methods, why, token) =>
      pick(
        methods.map(({ id, name, description }) => ({
          label: labelText(name),
          value: id,
          ...(typeof description === 'string' && { detail: labelText(description, 200) }),
        })),
        {
          title: vscode.l10n.t('{0} wants you to log in: {1}', agent, shownLine(why, 150)),
          placeholder: vscode.l10n.t('How?'),
          isAgentQuestion: true,
          token,
        },
      );
  }

  /** Lets the user answer an MCP server's question, decline it, or dismiss it. */
  askUser(agent: string): AskUser {
    return async (question, page, signal) => {
      const accept = page ? vscode.l10n.t('$(link-external) Open Page') : vscode.l10n.t('$(edit) Answer…');
      const action = await pick(
        [
          { label: accept, ...(page && { detail: page.host }), value: 'accept' as const },
          { label: vscode.l10n.t('$(circle-slash) Decline'), value: 'decline' as const },
        ],
        {
          title: vscode.l10n.t('{0} asks you', agent),
          placeholder: labelText(question.message, 200),
          isAgentQuestion: true,
          guarded: true,
          token: tokenOf(signal),
        },
      );
      if (action !== 'accept') return { action: action ?? 'cancel' };
      if (page) return { action: (await openPage(page)) ? 'accept' : 'cancel' };
      const { askForm } = await import('./toolArguments');
      const schema = 'requestedSchema' in question ? { ...question.requestedSchema } : {};
      const content = await askForm({
        name: agent,
        schema,
        title: labelText(question.message, 150),
        submit: vscode.l10n.t('$(check) Submit'),
        placeholder: vscode.l10n.t('Submit, or change your answers first'),
        given: defaultsIn(schema),
      });
      return content ? { action: 'accept', content: content as Record<string, string> } : { action: 'cancel' };
    };
  }

  /** Shows a language server's messages if enabled in the settings; otherwise they are only logged. */
  showMessage(agent: string): ShowMessage {
    return ({ level, text, actions }) => {
      if (!this.configuration.showsServerMessages) return Promise.resolve(undefined);
      const message = `${agent}: ${text}`;
      if (level !== 'error' && level !== 'warning') return showInformation(message, ...actions);
      return (level === 'error' ? showError : showWarning)(message, agentOutputLink(agent), ...actions);
    };
  }
}

function tokenOf(signal: AbortSignal): NonNullable<Parameters<typeof pick>[1]['token']> {
  return {
    isCancellationRequested: signal.aborted,
    onCancellationRequested: (listener) => {
      signal.addEventListener('abort', listener);
      return { dispose: () => signal.removeEventListener('abort', listener) };
    },
  };
}
