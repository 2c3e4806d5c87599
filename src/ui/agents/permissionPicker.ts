import * as vscode from 'vscode';
import { compactJson, oneLine } from '../../log/text';
import type { PermissionAsker } from '../../runs/permissions';
import type { Configuration } from '../configuration';
import { pick } from '../pick';

const icons: Readonly<Record<string, string>> = {
  allow_once: '$(check)',
  allow_always: '$(check-all)',
  reject_once: '$(x)',
  reject_always: '$(circle-slash)',
};

/** Asks the person for a permission that this agent wants. Leaving the picker allows nothing. */
export function permissionPicker(agent: string, configuration: Configuration): PermissionAsker {
  return async (request, token) => {
    if (configuration.rejectsPermissions) return undefined;
    const input = request.input === undefined ? '' : compactJson(request.input, 300);
    const items = request.options.map((option) => ({
      label: `${icons[option.kind] ?? '$(question)'} ${oneLine(option.name, 100).replaceAll('$(', '(')}`,
      value: option.optionId,
    }));
    return pick(items, {
      title: vscode.l10n.t('{0} asks for permission: {1}', agent, oneLine(request.title, 150)),
      placeholder: oneLine(input, 200) || vscode.l10n.t('Escape rejects'),
      token,
    });
  };
}
