import * as vscode from 'vscode';
import type { SaverId } from '../../../../agents/agents';
import { deletedSoon } from '../../../../past/saved/kept/deletedSoon';
import type { SavedSessions } from '../../../../past/saved/list/savedSessions';
import { shownCount } from '../../../kit/translate';
import { commandIds } from '../../../manifest/commands';
import { accessibleLabel } from '../format';
import { MoreRow } from './moreRow';
import type { Row } from './row';

/** How often to look again, if there were none, in milliseconds: few agents delete any, and these do it after weeks. */
const pause = 600_000;

/** How many sessions an agent will delete soon that have no copy. A click offers to copy them. */
export class ExpiringRow extends MoreRow {
  count = 0;
  /** When they were looked for, in milliseconds since the epoch. */
  private lookedAt = -Infinity;

  constructor(
    parent: Row,
    private readonly agent: SaverId,
    private readonly sessions: Pick<SavedSessions, 'expiring'>,
    private readonly now: () => number,
  ) {
    super(parent, `savedMore:${agent}:expiring`, {
      icon: 'history',
      title: vscode.l10n.t('Keep a Copy…'),
      show: () => vscode.commands.executeCommand(commandIds.keepCopy, { agent }),
    });
  }

  /** Counts them. */
  async look(): Promise<void> {
    if (this.count === 0 && this.now() - this.lookedAt < pause) return;
    this.lookedAt = this.now();
    const { sessions } = await this.sessions.expiring(this.agent, deletedSoon).catch(() => ({ sessions: [] }));
    this.count = sessions.length;
  }

  /** How many comes first: rows are narrow. */
  protected override draw(): vscode.TreeItem {
    const item = super.draw();
    const [about, action] = [this.about(), vscode.l10n.t('Keep a Copy…')];
    item.label = about;
    item.description = action;
    item.accessibilityInformation = accessibleLabel(about, action);
    return item;
  }

  private about(): string {
    return this.count === 1
      ? vscode.l10n.t('1 session will be deleted within 3 days')
      : vscode.l10n.t('{0} sessions will be deleted within 3 days', shownCount(this.count));
  }
}
