import * as vscode from 'vscode';
import { parseQuery } from '../../../query/parseQuery';
import { recordOfHit } from '../../../search/recordOfHit';
import type { RunView } from '../../../runLog/runView';
import { planOf } from '../../../search/searchQuery';
import { readWithProgress } from '../../kit/delayedProgress';
import { commandIds } from '../../manifest/commands';
import { pickSession } from '../search/pickSession';
import type { RecentSession } from '../search/recentSessions';
import { newestFirst, recentRuns, recentSaved } from '../search/recentSessions';
import type { PickedHit } from '../search/searchPicker';
import type { CommandContext, CommandServices, CommandTable } from './commandContext';
import { optional, optionsOf } from './targets';

/** Searches everything that was recorded or saved on this machine. */
export const searchCommands = { [commandIds.searchSessions]: searchSessions } satisfies CommandTable;

/**
 * Opens the explorer at the hit that the user picks.
 * @param arg `{ query? }`, the text to begin with
 * @returns the run's id
 */
async function searchSessions(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const { picked, query } = await pickSession(services, {
    title: vscode.l10n.t('Search All Sessions'),
    query: optional(optionsOf(arg), 'query', 'string') ?? services.memory.lastQuery,
    recent: recent(services),
    runs: true,
    saved: true,
  });
  services.memory.lastQuery = query;
  return picked && showPicked(picked, services);
}

async function recent(services: CommandContext): Promise<readonly RecentSession[]> {
  const { fileRuns, views, local } = services;
  const saved = local.isShown ? await recentSaved(await local.load(), [], fileRuns) : [];
  return newestFirst([...(await recentRuns(fileRuns, views)), ...saved.filter((one) => 'session' in one)]);
}

type Services = Pick<CommandServices, 'views' | 'fileRuns' | 'explorer' | 'tree'>;

/** Opens the explorer at a hit, or at a session. */
export async function showPicked(picked: PickedHit, services: Services): Promise<string> {
  const { hit, query } = picked;
  const run = await openedRun(picked, services);
  if (!hit && query === '') return showRun(run, services);
  const words = planOf(parseQuery(query))?.words ?? [];
  const seq = hit && (await recordOfHit(run, hit, words));
  await services.tree.reveal(run);
  // A hit without a record of its own is shown among its like.
  const at = seq === undefined ? { ...(query !== '' && { query }) } : { seq };
  await (await services.explorer.load()).open({ run, ...at });
  return run.id;
}

/** Opens the explorer at a run's problem, or else at its end, as a click on its row does. */
export async function showRun(
  run: RunView,
  { tree, explorer }: Pick<Services, 'tree' | 'explorer'>,
  preserveFocus = false,
): Promise<string> {
  await tree.reveal(run);
  await (await explorer.load()).openAtProblem({ run, preserveFocus });
  return run.id;
}

async function openedRun({ session, hit }: PickedHit, { views, fileRuns }: Services): Promise<RunView> {
  const own = views.writerOf(...session.paths);
  if (own) return own;
  const run = await session.open();
  // A hit's record is found once all records were read.
  return hit ? readWithProgress(run, fileRuns) : fileRuns.show(run);
}
