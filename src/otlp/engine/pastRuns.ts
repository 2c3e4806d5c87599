import type { FileRunInfo } from '../../past/files/fileRunInfo';
import { fileRunInfo } from '../../past/files/fileRunInfo';
import { runFacts } from '../../past/files/runFacts';
import type { SavedSessions } from '../../past/saved/list/savedSessions';
import type { SessionFilter } from '../../past/saved/list/sessionFilter';
import type { SavedList } from '../../past/saved/savedSession';
import type { Redaction } from '../../redact/redactorFor';
import { messageOf } from '../../text/humanError';
import type { Words } from '../../text/translator';
import { t, verbatim } from '../../text/translator';
import type { JournalSet } from '../../wire/journal/journalFolder';
import { runKey } from './runReading';

/** Where past runs are. */
export interface PastSources {
  /** The sessions that agents saved; `undefined` if they aren't to be read. */
  readonly sessions: SavedSessions | undefined;
  readonly journals: () => Promise<readonly (readonly JournalSet[])[]>;
  readonly redaction: Redaction | undefined;
}

/** The saved sessions and the journals of ended runs that fit, oldest first. @param onProblem called with what can't be read */
export async function pastRuns(
  { sessions, journals, redaction }: PastSources,
  filter: SessionFilter | undefined,
  onProblem: (problem: Words) => void,
  signal: AbortSignal,
): Promise<readonly FileRunInfo[]> {
  const runs: FileRunInfo[] = [];
  for (const { agent, name } of (await sessions?.agents()) ?? []) {
    if (signal.aborted || filter?.fitsAgent(name) === false) continue;
    const list = await sessions?.list(agent, { limit: Infinity, filter, signal }).catch((error: unknown): SavedList => {
      return { sessions: [], total: 0, problem: t("{0} can't be read: {1}", name, verbatim(messageOf(error))) };
    });
    if (list?.problem) onProblem(list.problem);
    for (const session of list?.sessions ?? []) if (sessions) runs.push(sessions.open(session));
  }
  for (const set of (await journals()).flat()) {
    const info = await fileRunInfo(set, 'past', () => redaction).catch(() => undefined); // It may just have been deleted.
    if (!info || (info.writer !== undefined && !info.termination)) continue;
    if (filter?.fits(runFacts(info, info.termination, false)) !== false) runs.push(info);
  }
  // The smaller one of two copies is older.
  const unique = new Map(runs.sort((a, b) => a.size - b.size).map((run) => [runKey(run), run]));
  return [...unique.values()].sort((a, b) => a.startedAt - b.startedAt);
}
