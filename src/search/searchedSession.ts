import { basename } from 'node:path';
import { sessionLabel } from '../text/sessionLabel';
import type { SaverId } from '../agents/agents';
import type { FileRun } from '../past/files/fileRun';
import type { FileRuns } from '../past/files/fileRuns';
import { newestFirst } from '../past/saved/list/newestFirst';
import type { SearchableSession } from '../past/saved/savedSession';
import type { SavedSessions } from '../past/saved/list/savedSessions';
import type { SessionFacts } from '../past/saved/list/sessionFilter';
import { savedFacts } from '../past/saved/list/sessionFilter';
import { Slices } from '../time/slices';

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
  /** Of a fork: the session that it was made of, and when it began itself, in milliseconds since the epoch. */
  readonly fork?: { readonly of: string; readonly at: number };
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
  const found = await newestFirst((await Promise.all(agents.map((agent) => saved.searchable(agent, signal)))).flat());
  return new Slices().flatMap(found, (one) => new SavedSearchedSession(one, saved, fileRuns));
}

/** There may be 100,000 of them, so they share their methods. */
class SavedSearchedSession implements SearchedSession {
  readonly key: string;
  readonly modifiedAt: number;
  readonly paths: readonly string[];
  readonly rows?: NonNullable<SearchableSession['rows']>;
  readonly agentName: string;

  constructor(
    private readonly one: SearchableSession,
    private readonly saved: SavedSessions,
    private readonly fileRuns: FileRuns,
  ) {
    ({ key: this.key, modifiedAt: this.modifiedAt, paths: this.paths } = one);
    if (one.rows) this.rows = one.rows;
    this.agentName = saved.nameOf(one.agent);
  }

  async label(): Promise<SessionLabel> {
    const session = await this.one.session();
    const { title, folder, id, lastAt, forkedFrom: of = '', startedAt: at } = session;
    const { agent, model, outcome } = savedFacts(session, this.agentName);
    return {
      title: sessionLabel(id, title),
      agent,
      model,
      outcome,
      ...(folder !== undefined && { folder }),
      ...(lastAt !== undefined && { lastAt }),
      ...(of !== '' && at !== undefined && { fork: { of, at } }),
    };
  }

  async open(): Promise<FileRun> {
    return this.fileRuns.saved(this.saved.open(await this.one.session()));
  }
}
