import { basename } from 'node:path';
import { sessionLabel } from '../../log/sessionLabel';
import type { SaverId } from '../../agents/agents';
import type { FileRun } from '../files/fileRun';
import type { FileRuns } from '../files/fileRuns';
import type { SearchableSession } from '../saved/savedSession';
import type { SavedSessions } from '../saved/savedSessions';
import type { SessionFacts } from '../saved/sessionFilter';
import { savedFacts } from '../saved/sessionFilter';

/** The label shown above a session's hits. */
export interface SessionLabel {
  readonly title: string;
  /** The agent that saved it; `undefined` for a journal, whose title is its agent. */
  readonly agent?: string;
  readonly folder?: string;
  readonly model?: string | undefined;
  readonly outcome?: SessionFacts['outcome'];
  /** When it was last used, in milliseconds since the epoch, if its agent says so. */
  readonly lastAt?: number;
}

/** What a search can ask of it. */
export function factsOf({ title, agent = title, folder, model, outcome }: SessionLabel): SessionFacts {
  return { agent, folder, model, outcome };
}

/** A searchable session or run. */
export interface SearchedSession extends Pick<SearchableSession, 'key' | 'modifiedAt' | 'paths' | 'rows'> {
  /** The agent that saved it; `undefined` for a journal, which must be opened to know. */
  readonly agentName?: string;
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
  only?: SaverId,
): Promise<readonly SearchedSession[]> {
  const agents = only === undefined ? (await saved.agents()).map(({ agent }) => agent) : [only];
  const found = (await Promise.all(agents.map((agent) => saved.searchable(agent, signal)))).flat();
  return found
    .sort((a, b) => b.modifiedAt - a.modifiedAt)
    .map((one) => ({
      ...one,
      agentName: saved.nameOf(one.agent),
      label: async () => {
        const session = await one.session();
        const { title, folder, id, lastAt } = session;
        const { agent, model, outcome } = savedFacts(session, saved.nameOf(one.agent));
        return {
          title: sessionLabel(id, title),
          agent,
          model,
          outcome,
          ...(folder !== undefined && { folder }),
          ...(lastAt !== undefined && { lastAt }),
        };
      },
      open: async () => fileRuns.saved(saved.open(await one.session())),
    }));
}
