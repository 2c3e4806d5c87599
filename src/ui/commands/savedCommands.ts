import { t, displayOf } from '../../log/translator';
import * as vscode from 'vscode';
import type { SavedAgent } from '../../protocols/saved/savedFormat';
import { savedAgentNames, savedAgents } from '../../protocols/saved/savedFormat';
import { sessionLabel } from '../../log/sessionLabel';
import type { FileRun } from '../../runs/files/fileRun';
import { isFileRun } from '../../runs/files/fileRuns';
import type { FileRunInfo } from '../../runs/files/fileRunInfo';
import { HumanError } from '../../runs/humanError';
import type { SavedSession } from '../../runs/saved/savedSession';
import type { SavedSessions } from '../../runs/saved/savedSessions';
import { CommandTarget } from '../commandTarget';
import { exportRunTo } from '../exportDialogs';
import { commandIds } from '../ids';
import { labelText } from '../notify';
import type { Choice } from '../pick';
import { pick, section } from '../pick';
import { SavedAgentRow } from '../tree/rows/savedAgentRow';
import { relativeTime } from '../tree/format';
import type { CommandContext, CommandTable } from './commandContext';
import { optionsOf } from './targets';

/** How many sessions of each agent the picker offers. */
const maxOffered = 50;

/** Commands about the sessions that other agents saved on this machine. */
export class SavedCommands {
  readonly table = {
    [commandIds.openSavedSession]: (arg) => this.open(arg),
    [commandIds.keepCopy]: (arg) => this.keepCopy(arg),
  } satisfies CommandTable;

  constructor(private readonly services: CommandContext) {}

  /**
   * Reads a saved session and opens it in the explorer.
   * @param arg a row of the tree, `{ uri, sessionId? }` or `{ agent, sessionId }`; without it, the user picks a session
   * @returns the run's id
   */
  private async open(arg: unknown): Promise<string | undefined> {
    const { services } = this;
    const found = await this.find(arg);
    if (!found) return undefined;
    const run = await services.fileRuns.show(found);
    await services.tree.reveal(run);
    await (await services.explorer.load()).open({ run });
    return run.id;
  }

  /**
   * Exports a saved session as a journal: its agent may delete it after some time.
   * @param arg as for `open`, with `to` for the file to write; asks for what is missing
   */
  private async keepCopy(arg: unknown): Promise<vscode.Uri | undefined> {
    const run = await this.find(arg);
    if (!run) return undefined;
    const { to } = optionsOf(arg);
    return exportRunTo(run, 'journal', to, this.services.configuration);
  }

  private async find(arg: unknown): Promise<FileRun | undefined> {
    if (arg instanceof CommandTarget && isFileRun(arg.run)) return arg.run;
    const sessions = await this.services.local.load();
    const info = await this.infoOf(arg, sessions);
    return info && this.services.fileRuns.saved(info);
  }

  private async infoOf(arg: unknown, sessions: SavedSessions): Promise<FileRunInfo | undefined> {
    const { uri, agent, sessionId } = optionsOf(arg);
    if (sessionId !== undefined && (typeof sessionId !== 'string' || sessionId === '')) {
      throw new HumanError(t('`{0}` must be a {1}.', 'sessionId', 'string'));
    }
    const file = arg instanceof vscode.Uri ? arg : uri;
    if (file !== undefined) return fileAt(file, sessions, sessionId);
    if (agent === undefined && sessionId === undefined) {
      const only = arg instanceof SavedAgentRow ? arg.agent : undefined;
      const picked = await pickSession(sessions, this.services.local.folders, only);
      return picked && sessions.open(picked);
    }
    const known = savedAgents.find((one) => one === agent);
    if (known === undefined) {
      throw new HumanError(t('`agent` must be one of {0}.', savedAgents.join(', ')));
    }
    if (sessionId === undefined) throw new HumanError(t('`{0}` must be a {1}.', 'sessionId', 'string'));
    return sessionOf(known, sessionId, sessions);
  }
}

async function sessionOf(agent: SavedAgent, id: string, sessions: SavedSessions): Promise<FileRunInfo> {
  const found = await sessions.find(agent, id);
  if (found) return sessions.open(found);
  // The list knows why, for example that this Node can't read databases.
  const { problem } = await sessions.list(agent, { limit: 1 });
  throw new HumanError(
    problem === undefined ? t('{0} has no saved session {1}.', savedAgentNames[agent], sessionLabel(id)) : problem,
  );
}

/** @param given a URI or the text of one */
async function fileAt(given: unknown, sessions: SavedSessions, sessionId: string | undefined): Promise<FileRunInfo> {
  const uri = typeof given === 'string' ? vscode.Uri.parse(given) : given;
  if (!(uri instanceof vscode.Uri)) throw new HumanError(t('`{0}` must be a {1}.', 'uri', 'Uri'));
  if (uri.scheme !== 'file') {
    throw new HumanError(t('Only files on the machine where the extension runs can be opened.'));
  }
  const info = await openedFile(uri, sessions, sessionId);
  if (!info) throw new HumanError(t("{0} isn't a saved session of a known agent.", uri.fsPath));
  return info;
}

async function openedFile(uri: vscode.Uri, sessions: SavedSessions, id?: string): Promise<FileRunInfo | undefined> {
  try {
    await vscode.workspace.fs.stat(uri);
    return await sessions.openFile(uri.fsPath, id);
  } catch (error) {
    throw new HumanError(t("Can't open {0}: {1}", uri.fsPath, displayOf(error)));
  }
}

/** Offers the newest sessions of all agents, those of the workspace's folders first. */
async function pickSession(
  sessions: SavedSessions,
  folders: readonly string[],
  only?: SavedAgent,
): Promise<SavedSession | undefined> {
  const agents = only === undefined ? (await sessions.agents()).map(({ agent }) => agent) : [only];
  const newest = async (within?: readonly string[]): Promise<readonly SavedSession[]> => {
    const options = { limit: maxOffered, ...(within && { folders: within }) };
    const lists = await Promise.all(agents.map((agent) => sessions.list(agent, options).catch(() => undefined)));
    return lists.flatMap((list) => list?.sessions ?? []).sort((a, b) => b.modifiedAt - a.modifiedAt);
  };
  const here = folders.length === 0 ? [] : await newest(folders);
  const paths = new Set(here.map(({ path, id }) => `${path} ${id}`));
  const others = (await newest()).filter(({ path, id }) => !paths.has(`${path} ${id}`));
  if (here.length + others.length === 0) {
    throw new HumanError(t('No agent has saved sessions on this machine.'));
  }
  const choices = [
    ...section(vscode.l10n.t('This Workspace'), here.map(choiceOf)),
    ...(here.length === 0 ? [] : [{ heading: vscode.l10n.t('Other Folders') }]),
    ...others.map(choiceOf),
  ];
  return pick(choices, { title: vscode.l10n.t('Open which saved session?') });
}

function choiceOf(session: SavedSession): Choice<SavedSession> {
  const { agent, id, title, folder, lastAt, modifiedAt, outcome } = session;
  const facts = [
    savedAgentNames[agent],
    relativeTime(Date.now() - (lastAt ?? modifiedAt)),
    ...(outcome === 'failed' ? [vscode.l10n.t('failed')] : []),
    ...(folder === undefined ? [] : [labelText(folder)]),
  ];
  return { label: labelText(sessionLabel(id, title)), description: facts.join(' · '), value: session };
}
