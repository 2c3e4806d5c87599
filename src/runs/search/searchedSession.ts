import { basename } from 'node:path';
import type { AgentId } from '../../agents/agents';
import type { FileRun } from '../files/fileRun';
import type { FileRuns } from '../files/fileRuns';
import type { SearchableSession } from '../saved/savedSession';
import type { SavedSessions } from '../saved/savedSessions';

/** The label shown above a session's hits. */
export interface SessionLabel {
  readonly title: string;
  /** The agent that saved it; `undefined` for a journal, whose title is its agent. */
  readonly agent?: string;
  readonly folder?: string;
}

/** A searchable session or run. */
export interface SearchedSession extends Pick<SearchableSession, 'key' | 'modifiedAt' | 'paths' | 'rows'> {
  /** Reads its label. */
  label(): Promise<SessionLabel>;
  /** The run that shows it; a new one unless it is open. */
  open(): Promise<FileRun>;
}

/** Runs that this extension, another window or a tap recorded, newest first. */
export async function journalSessions(fileRuns: FileRuns): Promise<readonly SearchedSession[]> {
  return (await fileRuns.journals()).map(({ set, origin }) => {
    const [first = ''] = set.paths;
    const open = (): Promise<FileRun> => fileRuns.at(first, origin);
    const label = async (): Promise<SessionLabel> => {
      const { name, cwd } = await open();
      return { title: name || basename(first), ...(cwd !== '' && { folder: cwd }) };
    };
    return { key: first, modifiedAt: set.modifiedAt, paths: set.paths, label, open };
  });
}

/** Sessions that agents saved on this machine, newest first: of all agents, or of one. */
export async function savedSearchedSessions(
  saved: SavedSessions,
  fileRuns: FileRuns,
  signal: AbortSignal,
  only?: AgentId,
): Promise<readonly SearchedSession[]> {
  const agents = only === undefined ? (await saved.agents()).map(({ agent }) => agent) : [only];
  const found = (await Promise.all(agents.map((agent) => saved.searchable(agent, signal)))).flat();
  return found
    .sort((a, b) => b.modifiedAt - a.modifiedAt)
    .map((one) => ({
      ...one,
      label: async () => {
        const { title, folder, id } = await one.session();
        return { title: title ?? id, agent: saved.nameOf(one.agent), ...(folder !== undefined && { folder }) };
      },
      open: async () => fileRuns.saved(saved.open(await one.session())),
    }));
}
