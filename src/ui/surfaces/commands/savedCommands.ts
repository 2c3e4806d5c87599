import { t, displayOf } from '../../../text/translator';
import * as vscode from 'vscode';
import type { SaverId } from '../../../agents/agents';
import { sessionLabel } from '../../../text/sessionLabel';
import type { FileRun } from '../../../past/files/fileRun';
import { isFileRun } from '../../../past/files/fileRuns';
import type { FileRunInfo } from '../../../past/files/fileRunInfo';
import { HumanError } from '../../../text/humanError';
import type { SavedSessions } from '../../../past/saved/list/savedSessions';
import type { SessionFacts } from '../../../past/saved/list/sessionFilter';
import { parseSessionFilter, savedFacts } from '../../../past/saved/list/sessionFilter';
import { isLiveSession } from '../../../runs/liveSession';
import { CommandTarget } from '../../kit/commandTarget';
import { showInformation } from '../../kit/notify';
import { commandIds } from '../../manifest/commands';
import { pickSessionFilter } from '../search/filterPicker';
import { pickSession } from '../search/pickSession';
import { recentSaved } from '../search/recentSessions';
import type { PickedHit } from '../search/searchPicker';
import { NowSessionRow } from '../tree/rows/nowRow';
import { SavedAgentRow } from '../tree/rows/savedAgentRow';
import type { CommandContext, CommandTable } from './commandContext';
import { showPicked, showRun } from './searchCommand';
import { optional, optionsOf } from './targets';

/** How many sessions of each agent are looked at for names to suggest. */
const suggestedFrom = 50;

/** Commands about the sessions that other agents saved on this machine. */
export const savedCommands = {
  [commandIds.openSavedSession]: open,
  [commandIds.filterSessions]: filterSessions,
  [commandIds.showAllSessions]: ({ local }) => Promise.resolve(void (local.filter = undefined)),
} satisfies CommandTable;

/**
 * Reads a saved session and opens it in the explorer.
 * @param arg a row of the tree, `{ uri, sessionId? }` or `{ agent, sessionId }`; without it, the user picks a session
 * @returns the run's id
 */
async function open(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const found = await namedSession(services, arg);
  if (!found) {
    const picked = await pick(services, arg, vscode.l10n.t('Select a saved session to open'));
    return picked && showPicked(picked, services);
  }
  const run = await services.fileRuns.show(found);
  return showRun(run, services, arg instanceof CommandTarget);
}

/**
 * Lists only some saved sessions in the tree.
 * @param arg `{ filter }`, such as `outcome:failed`; without it, asks
 */
async function filterSessions({ local }: CommandContext, arg: unknown): Promise<void> {
  const given = optional(optionsOf(arg), 'filter', 'string');
  const text = given ?? (await pickSessionFilter(local.filter?.text, local.load().then(someFacts)));
  if (text !== undefined) local.filter = parseSessionFilter(text);
}

/** What the newest sessions of each agent have. */
async function someFacts(sessions: SavedSessions): Promise<readonly SessionFacts[]> {
  const newest = await sessions.newest({ limit: suggestedFrom });
  return newest.map((session) => savedFacts(session, sessions.nameOf(session.agent)));
}

/** The session that the argument names; `undefined` if it names none. */
export async function namedSession(services: CommandContext, arg: unknown): Promise<FileRun | undefined> {
  if (arg instanceof CommandTarget && isFileRun(arg.run)) return arg.run;
  const sessions = await services.local.load();
  if (arg instanceof CommandTarget && arg.row instanceof NowSessionRow) {
    const { session } = arg.row.session;
    if (!isLiveSession(session)) return services.fileRuns.saved(sessions.open(session));
  }
  const info = await infoOf(arg, sessions);
  return info && services.fileRuns.saved(info);
}

/** @param arg the row of an agent, whose sessions are offered */
async function pick(services: CommandContext, arg: unknown, title: string): Promise<PickedHit | undefined> {
  const { local, fileRuns } = services;
  const only = arg instanceof CommandTarget && arg.row instanceof SavedAgentRow ? arg.row.agent : undefined;
  const recent = await recentSaved(await local.load(), local.folders, fileRuns, only);
  if (recent.length === 0) {
    void showInformation(vscode.l10n.t('No agent has saved sessions on this machine.'));
    return undefined;
  }
  const { picked } = await pickSession(services, {
    title,
    recent: Promise.resolve(recent),
    runs: false,
    saved: only ?? true,
  });
  return picked;
}

async function infoOf(arg: unknown, sessions: SavedSessions): Promise<FileRunInfo | undefined> {
  const { uri, agent, sessionId } = optionsOf(arg);
  if (sessionId !== undefined && (typeof sessionId !== 'string' || sessionId === '')) {
    throw new HumanError(t('`{0}` must be a {1}.', 'sessionId', 'string'));
  }
  const file = arg instanceof vscode.Uri ? arg : uri;
  if (file !== undefined) return fileAt(file, sessions, sessionId);
  if (agent === undefined && sessionId === undefined) return undefined;
  const known = sessions.agentIds.find((one) => one === agent);
  if (known === undefined) {
    throw new HumanError(t('`agent` must be one of {0}.', sessions.agentIds.join(', ')));
  }
  if (sessionId === undefined) throw new HumanError(t('`{0}` must be a {1}.', 'sessionId', 'string'));
  return sessionOf(known, sessionId, sessions);
}

async function sessionOf(agent: SaverId, id: string, sessions: SavedSessions): Promise<FileRunInfo> {
  const found = await sessions.find(agent, id);
  if (found) return sessions.open(found);
  // The list knows why, for example that this Node can't read databases.
  const { problem } = await sessions.list(agent, { limit: 1 });
  throw new HumanError(
    problem === undefined ? t('{0} has no saved session {1}.', sessions.nameOf(agent), sessionLabel(id)) : problem,
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
