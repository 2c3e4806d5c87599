import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { FileRun } from '../past/files/fileRun';
import type { FileRuns } from '../past/files/fileRuns';
import { isFileRun } from '../past/files/fileRuns';
import type { SavedSessions } from '../past/saved/list/savedSessions';
import type { SessionFilter } from '../past/saved/list/sessionFilter';
import type { RunView } from '../runLog/runView';
import { isBeingRead } from '../runLog/runView';
import type { RunViews } from '../runs/runs';
import { oneLine } from '../text/text';
import { unlessCancelled } from '../time/waiting';
import type { IsAsking } from './askingSession';
import { savedOf } from './askingSession';
import { factsOf } from './listRuns';
import { wrong } from './toolInput';

/** How many saved sessions of each agent are offered, and looked at for a filter. */
const maxSaved = 50;
const maxRead = 2000;

/** The sessions that agents saved on this machine. */
export interface SavedSource {
  /** Whether they may be read. */
  readonly isShown: boolean;
  /** Those that worked in these folders; absent for all. */
  readonly folders?: readonly string[];
  load(): Promise<SavedSessions>;
}

/** Which runs are offered. */
export interface RunChoice {
  /** Whether a past run in this folder is. */
  readonly isHere: (folder: string) => boolean;
  /** Whether a run is meant before newer ones, if none is named. */
  readonly isFirst: (run: RunView) => boolean;
  /** How many past runs stay open after an answer, if not as many as `FileRuns` keeps. */
  readonly maxOpen?: number;
}

/** The runs that tools can read: those that are shown, journals, and saved sessions. */
export class AnswerRuns {
  constructor(
    private readonly views: RunViews,
    private readonly fileRuns: FileRuns,
    private readonly saved: SavedSource,
    private readonly choice: RunChoice,
  ) {}

  /** Newest first, without the session that asks. */
  async all(isAsking: IsAsking, filter?: SessionFilter): Promise<readonly RunView[]> {
    return (await this.every(filter)).filter((run) => !isAsking(run));
  }

  /**
   * The run with an ID, or of a session with an ID; or the newest of a name, or the newest of all, without the session that asks. Reads a past run
   * first.
   * @throws HumanError if there is none; Cancelled; or if a journal can't be read
   */
  async find(wanted: string | undefined, isAsking: IsAsking, token: CancellationToken): Promise<RunView> {
    const every = await this.every();
    const others = every.filter((run) => !isAsking(run));
    const run =
      wanted === undefined
        ? (others.find(this.choice.isFirst) ?? others[0])
        : (every.find(({ id }) => id === wanted) ??
          others.find(({ name }) => name === wanted) ??
          (isSessionId(wanted) ? await this.ofSession(wanted, every) : undefined));
    if (!run) throw unknownRun(others);
    return this.read(run, token);
  }

  private async every(filter?: SessionFilter): Promise<readonly RunView[]> {
    const shown = this.views.all;
    const past = (await this.views.withPast()).filter((run) => shown.includes(run) || this.choice.isHere(run.cwd));
    const saved = (await this.savedRuns(filter)).filter((run) => !shown.includes(run));
    const runs = filter ? past.filter((run) => filter.fits(factsOf(run))) : past;
    return [...runs, ...saved].sort((a, b) => b.startedAt - a.startedAt);
  }

  /** The newest sessions that agents saved. */
  private async savedRuns(filter: SessionFilter | undefined): Promise<readonly FileRun[]> {
    const { isShown, folders } = this.saved;
    if (!isShown || folders?.length === 0) return [];
    const saved = await this.saved.load();
    const newest = await saved.newest({
      limit: maxSaved,
      ...(folders && { folders }),
      ...(filter && { filter, maxRead }),
    });
    return newest.map((session) => this.fileRuns.saved(saved.open(session)));
  }

  /** The saved session of an ID or the end of one, which may be too old for the list, or a run that has such a session. */
  private async ofSession(id: string, every: readonly RunView[]): Promise<RunView | undefined> {
    const listed = every.find((run) => savedOf(run)?.sessionId.endsWith(id));
    return (
      listed ??
      (await this.olderSession(id)) ??
      every.find(({ log }) => log.sessions.some((one) => one.id.endsWith(id)))
    );
  }

  private async olderSession(id: string): Promise<FileRun | undefined> {
    if (!this.saved.isShown) return undefined;
    const saved = await this.saved.load();
    const session = await saved.findAny(id);
    return session && this.fileRuns.saved(saved.open(session));
  }

  private async read(run: RunView, token: CancellationToken): Promise<RunView> {
    if (!isFileRun(run) || !isBeingRead(run)) return run;
    // Opened like by the user, so that the usual limit on open runs applies.
    const open = await this.fileRuns.show(run);
    for (const old of this.fileRuns.open.slice(this.choice.maxOpen ?? Infinity)) this.fileRuns.close(old);
    await unlessCancelled(open.read(), token);
    return open;
  }
}

/** An ID, or the end of one. */
function isSessionId(text: string): boolean {
  return /^[\w-]{6,100}$/.test(text);
}

function unknownRun(others: readonly RunView[]): Error {
  if (others.length === 0) return wrong('No agent has run here yet.');
  const names = [...new Set(others.map(({ name }) => `"${oneLine(name, 60)}"`))].slice(0, 20);
  return wrong(`There is no such run. Agents that have run here: ${names.join(', ')}. List the runs for their ids.`);
}
