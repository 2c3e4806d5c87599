import * as vscode from 'vscode';
import type { SaverId } from '../../../agents/agents';
import { deletedSoon } from '../../../past/saved/kept/deletedSoon';
import type { FileRun } from '../../../past/files/fileRun';
import { isFileRun } from '../../../past/files/fileRuns';
import { needsCopy } from '../../../past/saved/kept/keptFile';
import type { SavedSessions } from '../../../past/saved/list/savedSessions';
import { keyOf } from '../../../past/saved/now/sessionState';
import type { SavedSession } from '../../../past/saved/savedSession';
import { HumanError, messageOf } from '../../../text/humanError';
import { sessionLabel } from '../../../text/sessionLabel';
import { shownLine } from '../../../text/text';
import { t } from '../../../text/translator';
import { CommandTarget } from '../../kit/commandTarget';
import { withDelayedProgress } from '../../kit/delayedProgress';
import { confirm, labelText, showAlert, showBriefly } from '../../kit/notify';
import type { Choice, Heading, PickItem } from '../../kit/pick';
import { pickItem, section } from '../../kit/pick';
import { shownCount, shownDate } from '../../kit/translate';
import { commandIds } from '../../manifest/commands';
import { copyRunTo } from '../../services/exportDialogs';
import { relativeTime } from '../tree/format';
import { SavedSessionRow } from '../tree/rows/savedSessionRow';
import { SavedAgentRow } from '../tree/rows/savedAgentRow';
import type { CommandContext, CommandTable } from './commandContext';
import { namedSession } from './savedCommands';
import { optionsOf } from './targets';

/** How many sessions of each agent are offered, besides those that will be deleted. */
const maxOffered = 50;

/** Commands about copies of saved sessions. */
export const keepCommands = {
  [commandIds.keepCopy]: keepCopy,
  [commandIds.deleteCopy]: deleteCopy,
} satisfies CommandTable;

/**
 * Keeps copies of sessions for when their agent deletes them.
 * @param arg a row of the tree, `{ uri, sessionId? }` or `{ agent, sessionId }`, with `to` for a journal of the session in another file;
 * `{ agent }` offers the sessions of that agent, nothing those of all
 */
async function keepCopy(services: CommandContext, arg: unknown): Promise<vscode.Uri | undefined> {
  const { to, sessionId, uri, agent } = optionsOf(arg);
  const sessions = await services.local.load();
  const offered = offeredAgent(arg) ?? (sessionId === undefined && uri === undefined ? agent : undefined);
  const only = sessions.agentIds.find((one) => one === offered);
  const run = only === undefined ? await namedSession(services, arg) : undefined;
  const session = run && to === undefined ? await listedSession(run, sessions) : undefined;
  if (session?.isGone === true) throw new HumanError(t('This is a copy already: its agent has deleted the session.'));
  if (run && !session) return copyRunTo(run, to, services.configuration);
  const chosen = session ? [session] : await pickSessions(sessions, only);
  if (chosen.length > 0) await keepAll(chosen, sessions);
  return undefined;
}

function offeredAgent(arg: unknown): SaverId | undefined {
  return arg instanceof CommandTarget && arg.row instanceof SavedAgentRow ? arg.row.agent : undefined;
}

/** The session of a run, as its agent has it; `undefined` if its file is elsewhere. */
async function listedSession({ info }: FileRun, sessions: SavedSessions): Promise<SavedSession | undefined> {
  const { agent, sessionId } = info.saved ?? {};
  const found = agent && (await sessions.find(agent, sessionId ?? ''));
  return found?.path === info.paths[0] ? found : undefined;
}

/** Asks which sessions to copy. Those that will be deleted soon are selected. */
async function pickSessions(sessions: SavedSessions, only: SaverId | undefined): Promise<readonly SavedSession[]> {
  const agents = only === undefined ? (await sessions.agents()).map(({ agent }) => agent) : [only];
  const lists = await Promise.all(agents.map((agent) => sessions.expiring(agent, deletedSoon).catch(() => none)));
  const expiring = lists.flatMap((list) => list.sessions);
  const keys = new Set(expiring.map(keyOf));
  const others = (await sessions.newest({ limit: maxOffered }, only)).filter(
    (session) => needsCopy(session) && !keys.has(keyOf(session)),
  );
  if (expiring.length + others.length === 0) throw new HumanError(t('There is no session without a copy.'));
  const choices = [
    ...section(
      vscode.l10n.t('Deleted Within 3 Days'),
      newestFirst(expiring).map((one) => choiceOf(one, sessions)),
    ),
    ...section(
      vscode.l10n.t('Others'),
      newestFirst(others).map((one) => choiceOf(one, sessions)),
    ),
  ];
  return pickMany(choices, expiring);
}

async function pickMany(
  choices: readonly (Choice<SavedSession> | Heading)[],
  selected: readonly SavedSession[],
): Promise<readonly SavedSession[]> {
  const items = choices.map((choice): PickItem<SavedSession> => {
    const isPicked = 'value' in choice && selected.includes(choice.value);
    return { ...pickItem(choice), picked: isPicked };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Select the sessions to keep a copy of'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return picked?.flatMap(({ value }) => value ?? []) ?? [];
}

function choiceOf(session: SavedSession, sessions: SavedSessions): Choice<SavedSession> {
  const { agent, id, title, folder, modifiedAt, lastAt = modifiedAt } = session;
  const facts = [
    sessions.nameOf(agent),
    relativeTime(Date.now() - lastAt),
    ...(folder === undefined ? [] : [labelText(folder)]),
  ];
  return { label: labelText(sessionLabel(id, title)), description: facts.join(' · '), value: session };
}

/** Copies them one by one. What was copied before the user cancels stays. */
async function keepAll(chosen: readonly SavedSession[], sessions: SavedSessions): Promise<void> {
  const problems: string[] = [];
  let count = 0;
  await withDelayedProgress(vscode.l10n.t('Copying sessions'), async (token, report) => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => cancel.abort());
    const isCancelled = (): boolean => cancel.signal.aborted;
    for (const session of chosen) {
      if (isCancelled()) return;
      report(vscode.l10n.t('{0} of {1}', shownCount(count + 1), shownCount(chosen.length)));
      try {
        await sessions.keep(session, { by: 'user', signal: cancel.signal });
        count++;
      } catch (error) {
        if (!isCancelled()) problems.push(problemOf(session, error));
      }
    }
  });
  const [first] = problems;
  if (first !== undefined) return void showAlert(problems.length === 1 ? first : moreProblems(first, problems.length));
  showBriefly(
    count === 1
      ? vscode.l10n.t('Kept a copy. It stays if the agent deletes the session.')
      : vscode.l10n.t('Kept {0} copies. They stay if the agents delete the sessions.', shownCount(count)),
  );
}

function problemOf({ id, title }: SavedSession, error: unknown): string {
  const name = shownLine(sessionLabel(id, title), 60);
  return vscode.l10n.t("{0} can't be copied: {1}", name, shownLine(messageOf(error), 300));
}

function moreProblems(first: string, count: number): string {
  return vscode.l10n.t('{0} (and {1} more)', first, shownCount(count - 1));
}

/** Deletes the copy of a session. The session itself belongs to its agent. @param arg its row */
async function deleteCopy({ local, fileRuns }: CommandContext, arg: unknown): Promise<void> {
  const run = arg instanceof CommandTarget && isFileRun(arg.run) ? arg.run : undefined;
  const row = arg instanceof CommandTarget && arg.row instanceof SavedSessionRow ? arg.row : undefined;
  const kept = row?.session?.kept ?? run?.info.saved?.kept;
  if (!run || !kept) throw new HumanError(t('This session has no copy.'));
  const isOnly = row?.session?.isGone ?? kept.path === run.info.paths[0];
  const detail = isOnly
    ? vscode.l10n.t('Its agent has deleted the session, so nothing of it remains. The copy is not moved to the trash.')
    : vscode.l10n.t(
        'The session itself stays. The copy was made {0}, and is not moved to the trash.',
        shownDate(kept.at),
      );
  const message = vscode.l10n.t('Delete the copy of {0}?', run.name);
  if (!(await confirm(message, detail, vscode.l10n.t('Delete Copy')))) return;
  if (isOnly) fileRuns.close(run);
  await (await local.load()).deleteCopy(kept.path);
  showBriefly(vscode.l10n.t('Deleted the copy of {0}.', run.name));
}

const none = { sessions: [] };

function newestFirst(some: readonly SavedSession[]): readonly SavedSession[] {
  return some.toSorted((a, b) => b.modifiedAt - a.modifiedAt);
}
