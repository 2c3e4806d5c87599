import * as vscode from 'vscode';
import { oneLine } from '../../log/text';
import type { AcpClientOptions } from '../../runs/acp/acpClient';
import { labelText } from '../notify';
import { pick } from '../pick';

/** Asks which of the agent's login methods to use. */
export function authPicker(agent: string): AcpClientOptions['chooseAuthMethod'] {
  return (methods, why, token) =>
    pick(
      methods.map(({ id, name, description }) => ({
        label: labelText(name),
        value: id,
        ...(typeof description === 'string' && { detail: labelText(description, 200) }),
      })),
      {
        title: vscode.l10n.t('{0} wants you to log in: {1}', agent, oneLine(why, 150)),
        placeholder: vscode.l10n.t('How?'),
        isAgentQuestion: true,
        token,
      },
    );
}
