import * as vscode from 'vscode';
import { sessionLabel } from '../../../text/sessionLabel';
import { shortEnd } from '../../../wire/termination';
import type { SaverId } from '../../../agents/agents';
import type { FileRun } from '../../../past/files/fileRun';
import type { FileRuns } from '../../../past/files/fileRuns';
import type { RunViews } from '../../../runs/runs';
import { isLive } from '../../../runLog/runView';
import type { SavedSession } from '../../../past/saved/savedSession';
import type { SavedSessions } from '../../../past/saved/list/savedSessions';
import type { SessionFacts } from '../../../past/saved/list/sessionFilter';
import { savedFacts } from '../../../past/saved/list/sessionFilter';
import type { SearchedSession } from '../../../search/searchedSession';
import { labelText } from '../../kit/notify';
import type { Heading } from '../../kit/pick';
import { shownSize, translate } from '../../kit/translate';
import { relativeTime, shortTime } from '../tree/format';
import { describeUnended } from '../tree/runText';

/** What a picker needs to know of a session. */
export type PickableSession = Pick<SearchedSession, 'key' | 'modifiedAt' | 'paths' | 'open'>;

/** A session or a past run to pick without searching. */
export interface RecentSession {
  readonly session: PickableSession;
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly facts: SessionFacts;
}

/** How many sessions of each agent are offered. */
const maxOffered = 50;

/** The past runs, newest first. A run that is live in this window isn't one. */
export async function recentRuns(fileRuns: FileRuns, views: RunViews): Promise<readonly RecentSession[]> {
  const isLiveHere = ({ journal }: FileRun): boolean => {
    const writer = views.writerOf(...journal.paths);
    return writer !== undefined && isLive(writer);
  };
  return (await fileRuns.refresh())
    .filter((run) => !isLiveHere(run))
    .map((run) => ({
      session: {
        key: run.info.paths[0] ?? '',
        modifiedAt: run.info.modifiedAt,
        paths: run.info.paths,
        open: () => Promise.resolve(run),
      },
      label: labelText(run.name),
      description: `${shortTime(run.startedAt, Date.now())} · ${shownSize(run.info.size)}`,
      detail: labelText(endOf(run)),
      facts: { agent: run.name, folder: run.cwd },
    }));
}

function endOf({ info }: FileRun): string {
  if (!info.termination) return describeUnended(info.writer);
  return translate(info.termination.message ?? shortEnd(info.termination));
}

/** The newest saved sessions of all agents or one, those of the workspace's folders first. */
export async function recentSaved(
  sessions: SavedSessions,
  folders: readonly string[],
  fileRuns: FileRuns,
  only?: SaverId,
): Promise<readonly (RecentSession | Heading)[]> {
  const newest = async (within?: readonly string[]): Promise<readonly RecentSession[]> => {
    const found = await sessions.newest({ limit: maxOffered, ...(within && { folders: within }) }, only);
    return newestFirst(found.map((session) => recentOf(session, sessions, fileRuns)));
  };
  const here = folders.length === 0 ? [] : await newest(folders);
  const keys = new Set(here.map(({ session }) => session.key));
  const others = (await newest()).filter(({ session }) => !keys.has(session.key));
  if (here.length === 0) return others;
  const [own, other] = [vscode.l10n.t('This Workspace'), vscode.l10n.t('Other Folders')];
  return [{ heading: own }, ...here, { heading: other }, ...others];
}

export function newestFirst(recent: readonly RecentSession[]): readonly RecentSession[] {
  return [...recent].sort((a, b) => b.session.modifiedAt - a.session.modifiedAt);
}

function recentOf(saved: SavedSession, sessions: SavedSessions, fileRuns: FileRuns): RecentSession {
  const { agent, id, path, title, folder, lastAt, modifiedAt, outcome } = saved;
  const facts = [
    sessions.nameOf(agent),
    relativeTime(Date.now() - (lastAt ?? modifiedAt)),
    ...(outcome === 'error' ? [vscode.l10n.t('failed')] : []),
    ...(folder === undefined ? [] : [labelText(folder)]),
  ];
  const open = (): Promise<FileRun> => Promise.resolve(fileRuns.saved(sessions.open(saved)));
  return {
    session: { key: `${path} ${id}`, modifiedAt: lastAt ?? modifiedAt, paths: [path], open },
    label: labelText(sessionLabel(id, title)),
    description: facts.join(' · '),
    facts: savedFacts(saved, sessions.nameOf(agent)),
  };
}
