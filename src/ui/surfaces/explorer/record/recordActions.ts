import { t } from '../../../../text/translator';
import * as vscode from 'vscode';
import { placeOfRecord } from '../../../../past/files/journalPlace';
import type { DiagnosisData } from '../../../../diagnosis/diagnosis';
import type { LogRecord } from '../../../../text/record';
import { actionsOf, mayLogIn } from '../../../../runs/actions';
import type { AgentDefinition } from '../../../../live/config/launchSpec';
import { commandLine, shellAt } from '../../../../live/config/commandLine';
import type { RecordResult } from '../../../../matches/recordResult';
import { HumanError } from '../../../../text/humanError';
import type { RunView } from '../../../../runLog/runView';
import type { Launcher } from '../../../services/agents/launcher';
import { askFormat, exportTo } from '../../../services/exportDialogs';
import { runTarget } from '../../../kit/commandTarget';
import { installLabel, showInstall } from '../../../kit/installButton';
import { commandIds } from '../../../manifest/commands';
import type { RecordDocuments } from '../../records/recordDocuments';
import { openAgentSetting } from '../../../services/settings/openSettingCommand';
import type { SessionTree } from '../../tree/sessionTree';
import type { ProblemButton, RecordAction } from '../../../../explorer/page/messages';
import { copiedText } from '../../../../explorer/record/recordTexts';
import { l10n } from '../../../kit/translate';
import { openFile } from '../../../kit/openFile';

export interface ActionServices {
  readonly tree: SessionTree;
  readonly documents: RecordDocuments;
  readonly launcher: Launcher;
}

/** Showing another run is up to the panel. */
type Action = Exclude<RecordAction, 'openRunJournal'>;

/** Actions on a record or a problem, from the page's buttons or a menu. */
export class RecordActions {
  constructor(private readonly services: ActionServices) {}

  /** @throws HumanError if it can't be done */
  async run(name: Action, seqs: readonly number[], run: RunView): Promise<unknown> {
    const records = seqs.flatMap((seq) => run.log.store.get(seq) ?? []);
    const [record] = records;
    switch (name) {
      case 'restart':
        return vscode.commands.executeCommand(commandIds.restart, runTarget(run));
      case 'copyReport':
        return vscode.commands.executeCommand(commandIds.copyReport, runTarget(run));
      case 'logIn':
        // Other agents than servers ask for a login when a session is opened.
        return mayLogIn(run)
          ? vscode.commands.executeCommand(commandIds.logIn, run.name)
          : vscode.commands.executeCommand(commandIds.newSession, runTarget(run));
      case 'install': {
        const { install } = (record?.data ?? {}) as Partial<DiagnosisData>;
        return install && showInstall(install);
      }
      case 'openSavedSession':
        // Lists the sessions of this workspace first.
        return vscode.commands.executeCommand(commandIds.openSavedSession);
      case 'showOutput':
        return vscode.commands.executeCommand(commandIds.showOutput, runTarget(run));
      case 'openSetting':
        return openAgentSetting(run.name);
      case 'exportTrace':
        return vscode.commands.executeCommand(commandIds.exportTrace, { runId: run.id });
      case 'openFile':
        return vscode.commands.executeCommand(commandIds.openFile);
      case 'copyCommand':
        return vscode.env.clipboard.writeText(commandLine(run.words, shellAt(vscode.env.shell, process.platform)));
      case 'copyMessage':
      case 'copyRaw':
      case 'copyJson':
      case 'copyMarkdown':
        return vscode.env.clipboard.writeText(copiedText(name, records, run, l10n));
      case 'openAsText':
        return record && this.services.documents.open(run, record);
      case 'revealInTree':
        return record && this.reveal(run, record);
      case 'openJournal':
        return record && openJournalAt(run, record);
    }
  }

  /** Exports the matches of the filter, in a format and to a file that the user picks. */
  async exportShown(run: RunView, result: RecordResult): Promise<void> {
    const format = await askFormat(run);
    if (!format) return;
    await exportTo(run, format, undefined, async (path, token, onProgress) => {
      const { exportMatches } = await import('../../../../export/exportMatches');
      await exportMatches(run, result, { path, format, token, onProgress });
    });
  }

  /** The buttons for how a run ended. */
  endButtons(run: RunView): readonly ProblemButton[] {
    const restart: ProblemButton = { action: 'restart', label: vscode.l10n.t('Restart') };
    const copy: ProblemButton = { action: 'copyReport', label: vscode.l10n.t('Copy Report') };
    return this.agentOf(run) ? [restart, copy] : [copy];
  }

  /** The agent of a run, if it can be started here. */
  private agentOf(run: RunView): AgentDefinition | undefined {
    return run.isPublished === true ? undefined : this.services.launcher.known.find(({ name }) => name === run.name);
  }

  /** The buttons for a problem, most useful first. */
  buttonsOf(problem: DiagnosisData, run: RunView): readonly ProblemButton[] {
    const agent = this.agentOf(run);
    const isOwn = agent !== undefined;
    const canLogIn = isOwn && (mayLogIn(run) || actionsOf(run).has('newSession'));
    // A server elsewhere has a URL instead of a command.
    const hasCommand = run.words.length > 0 && !isUrl(run.words);
    const buttons: Readonly<Record<string, readonly [boolean, string]>> = {
      logIn: [canLogIn, vscode.l10n.t('Log In…')],
      openSavedSession: [true, vscode.l10n.t('Open Saved Session…')],
      restart: [isOwn, vscode.l10n.t('Restart')],
      openSetting: [isOwn && this.services.launcher.isInSettings(run.name), vscode.l10n.t('Open Setting')],
      install: [problem.install !== undefined, problem.install === undefined ? '' : installLabel(problem.install)],
      copyCommand: [hasCommand, vscode.l10n.t('Copy Command')],
    };
    return buttonsFor(problem, hasCommand).flatMap((action) => {
      const [isPossible, label = ''] = buttons[action] ?? [];
      return isPossible === true ? [{ action, label }] : [];
    });
  }

  private async reveal(run: RunView, record: LogRecord): Promise<void> {
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await this.services.tree.reveal(run, record.sessionId);
    await this.services.tree.revealRecord(run, record);
  }
}

function buttonsFor({ code, offers }: DiagnosisData, hasCommand: boolean): readonly RecordAction[] {
  if (offers === 'saved-sessions') return ['openSavedSession', 'copyCommand', 'openSetting'];
  switch (code) {
    case 'authentication-required':
      return hasCommand ? ['logIn', 'restart', 'copyCommand'] : ['logIn', 'openSetting', 'restart'];
    case 'agent-ended':
      return ['restart', 'copyCommand', 'openSetting'];
    case 'missing-executable':
      return ['install', 'openSetting', 'restart', 'copyCommand'];
    case 'missing-folder':
      return ['openSetting', 'restart'];
    case 'version-not-spoken':
      return ['openSetting', 'restart', 'copyCommand'];
    case 'failed-request':
      return hasCommand ? [] : ['openSetting', 'restart'];
    case 'silence':
    case 'unanswered-request':
    case 'failed-turn':
      return ['restart'];
    case 'stdout-junk':
    case 'malformed-message':
      return ['copyCommand'];
    default:
      return [];
  }
}

function isUrl([first = '']: readonly string[]): boolean {
  return /^https?:\/\//i.test(first);
}

async function openJournalAt(run: RunView, record: LogRecord): Promise<void> {
  const raw = run.log.store.raw(record.seq);
  const place = raw === undefined ? undefined : await placeOfRecord(run, record.receivedAt, raw);
  if (!place) throw new HumanError(t('The line of this record isn’t in the journal.'));
  const at = new vscode.Range(place.line, 0, place.line, 0);
  await openFile(vscode.Uri.file(place.path), { selection: at });
}
