import * as vscode from 'vscode';
import { oneLine } from '../../log/text';
import type { AcpClientOptions } from '../../runs/acpClient';
import { pick } from '../pick';

/** Lets the person choose how to log in, among the ways that the agent offers. */
export const chooseAuthMethod: AcpClientOptions['chooseAuthMethod'] = (methods, why) =>
  pick(
    methods.map(({ id, name, description }) => ({
      label: oneLine(name, 100).replaceAll('$(', '('),
      value: id,
      ...(typeof description === 'string' && { detail: oneLine(description, 200).replaceAll('$(', '(') }),
    })),
    {
      title: vscode.l10n.t('The agent wants you to log in: {0}', oneLine(why, 150)),
      placeholder: vscode.l10n.t('How?'),
    },
  );
