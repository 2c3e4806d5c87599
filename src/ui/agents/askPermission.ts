import * as vscode from 'vscode';
import { boundedJson } from '../../log/boundedJson';
import { oneLine } from '../../log/text';
import type { PermissionAsker, PermissionRequest } from '../../runs/permissions';
import { labelText, tellInformation } from '../notify';
import { pick } from '../pick';

type Token = Parameters<PermissionAsker>[1];
type PermissionOption = PermissionRequest['options'][number];

const icons: Readonly<Record<PermissionOption['kind'], string>> = {
  allow_once: '$(check)',
  allow_always: '$(check-all)',
  reject_once: '$(x)',
  reject_always: '$(circle-slash)',
};

/** Asks the person for a permission. Leaving the picker allows nothing. */
export async function askPermission(
  agent: string,
  request: PermissionRequest,
  token: Token,
): Promise<string | undefined> {
  // What rejects comes first: a hasty Enter must not allow.
  const options = [...request.options].sort((a, b) => Number(isAllowing(a)) - Number(isAllowing(b)));
  const input = request.input === undefined ? '' : oneLine(boundedJson(request.input, 400), 300);
  const picked = await pick(options.map(choiceOf), {
    title: vscode.l10n.t('{0} asks for permission: {1}', agent, oneLine(request.title, 150)),
    placeholder: input === '' ? vscode.l10n.t('Escape rejects') : vscode.l10n.t('Escape rejects · {0}', input),
    guarded: true,
    token,
  });
  if (picked === undefined && !token.isCancellationRequested) {
    void tellInformation(
      vscode.l10n.t('Rejected: {0}. The question of {1} was closed.', oneLine(request.title, 150), agent),
    );
  }
  return picked;
}

function isAllowing({ kind }: PermissionOption): boolean {
  return kind === 'allow_once' || kind === 'allow_always';
}

/** The agent words its options freely: what each really does is said beside it. */
function choiceOf({ optionId, name, kind }: PermissionOption): { label: string; description: string; value: string } {
  return { label: `${icons[kind]} ${labelText(name)}`, description: meaning(kind), value: optionId };
}

function meaning(kind: PermissionOption['kind']): string {
  switch (kind) {
    case 'allow_once':
      return vscode.l10n.t('allows it this time');
    case 'allow_always':
      return vscode.l10n.t('allows it from now on');
    case 'reject_once':
      return vscode.l10n.t('rejects it this time');
    case 'reject_always':
      return vscode.l10n.t('rejects it from now on');
  }
}
