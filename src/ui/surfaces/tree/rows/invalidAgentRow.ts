import { translate } from '../../../kit/translate';
import { inEnglish } from '../../../../text/translator';
import * as vscode from 'vscode';
import { cutAnywhere, shownLine, plainText, withoutMarks } from '../../../../text/text';
import type { DefinitionProblem } from '../../../../live/config/agentDefinition';
import { prefix } from '../../../manifest/names';
import { openAgentCommand } from '../../../services/settings/openSettingCommand';
import { accessibleLabel, shortLabel } from '../format';
import { levelIcon } from '../icons';
import { Row } from './row';

/** An entry of the settings that can't be used. */
export class InvalidAgentRow extends Row {
  static readonly context = 'mistake';
  readonly id: string;
  readonly parent = undefined;

  constructor(readonly problem: DefinitionProblem) {
    super();
    this.id = `mistake:${inEnglish(problem.message)}`;
  }

  override tooltip(): string {
    return plainText(cutAnywhere(translate(this.problem.message), 2000));
  }

  protected draw(): vscode.TreeItem {
    const { agent, reason } = this.problem;
    const name = agent === undefined ? `${prefix}.agents` : shownLine(agent, 100);
    const item = new vscode.TreeItem(shortLabel(name));
    item.description = shownLine(withoutMarks(translate(reason)), 200);
    item.iconPath = levelIcon('warning');
    item.contextValue = InvalidAgentRow.context;
    const open = openAgentCommand(agent);
    item.command = { command: open.command, arguments: [...open.arguments], title: vscode.l10n.t('Open Setting') };
    item.accessibilityInformation = accessibleLabel(
      vscode.l10n.t('Agent {0}', name),
      vscode.l10n.t("can't start: {0}", item.description),
    );
    return item;
  }
}
