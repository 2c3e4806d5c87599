import * as vscode from 'vscode';
import type { AskUser } from '../../runs/mcp/elicitation';
import { defaultsIn } from '../../runs/mcp/elicitation';
import { labelText } from '../notify';
import { pick } from '../pick';

/** Lets the user answer a server's question, decline it, or dismiss it. */
export function elicitationPicker(agent: string): AskUser {
  return async (question, signal) => {
    const isPage = question.mode === 'url';
    const accept = isPage ? vscode.l10n.t('$(link-external) Open Page') : vscode.l10n.t('$(edit) Answer…');
    const action = await pick(
      [
        { label: accept, ...(isPage && { detail: labelText(question.url, 200) }), value: 'accept' as const },
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
    if (isPage) {
      const isOpen = await vscode.env.openExternal(question.url as unknown as vscode.Uri); // See `Logins`.
      return { action: isOpen ? 'accept' : 'cancel' };
    }
    const { askForm } = await import('./toolArguments');
    const schema = { ...question.requestedSchema };
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

function tokenOf(signal: AbortSignal): NonNullable<Parameters<typeof pick>[1]['token']> {
  return {
    isCancellationRequested: signal.aborted,
    onCancellationRequested: (listener) => {
      signal.addEventListener('abort', listener);
      return { dispose: () => signal.removeEventListener('abort', listener) };
    },
  };
}
