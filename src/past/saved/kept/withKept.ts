import type { SaverId } from '../../../agents/agents';
import { newestFirst } from '../list/newestFirst';
import type { WatchedFile } from '../list/savedWatch';
import type {
  Candidate,
  Candidates,
  ListOptions,
  SavedSession,
  SavedStore,
  SearchableSession,
  TurnSource,
} from '../savedSession';
import type { FoundCopy } from './keptFile';
import type { KeptFolder } from './keptFolder';

/** The sessions of an agent, and our copies of those that the agent has deleted. Of the others, it says that there is a copy. */
export class WithKept implements SavedStore {
  constructor(
    private readonly agent: SaverId,
    private readonly own: SavedStore,
    private readonly kept: KeptFolder,
  ) {}

  async folders(): Promise<readonly string[]> {
    const [folders, copies] = await Promise.all([this.own.folders(), this.copies()]);
    return copies.length === 0 ? folders : [...folders, this.kept.folderOf(this.agent)];
  }

  async candidates(options: ListOptions): Promise<Candidates> {
    const [own, copies] = await Promise.all([this.own.candidates(options), this.copies()]);
    if (copies.length === 0) return own;
    const byId = new Map(copies.map((copy) => [copy.fileId, copy]));
    const gone = new Map<Candidate, SavedSession>(goneOf(copies, own.all).map((session) => [session, session]));
    return {
      ...own,
      all: await newestFirst([...own.all, ...gone.values()]),
      details: async (some) => {
        const read = await own.details(some.filter((one) => !gone.has(one)));
        let next = 0;
        return some.map((one) => {
          const copy = gone.get(one);
          if (copy) return copy;
          return marked(read[next++], byId.get(one.id));
        });
      },
    };
  }

  files(wanted?: Parameters<SavedStore['files']>[0]): Promise<readonly WatchedFile[]> {
    return this.own.files(wanted);
  }

  again(files: readonly WatchedFile[]): Promise<readonly SavedSession[]> {
    return this.own.again(files);
  }

  turn(session: SavedSession): TurnSource {
    return this.own.turn(session);
  }

  async find(id: string): Promise<SavedSession | undefined> {
    const [found, copies] = await Promise.all([this.own.find(id), this.copies()]);
    const copy = copies.find(({ session }) => (found ? session.id === found.id : session.id.endsWith(id)));
    return found ? marked(found, copy) : copy?.session;
  }

  async searchable(signal?: AbortSignal): Promise<readonly SearchableSession[]> {
    const [own, copies] = await Promise.all([this.own.searchable(signal), this.copies()]);
    const gone = goneOf(copies, own).map((session): SearchableSession => {
      const { agent, id, path, modifiedAt } = session;
      return { agent, id, key: path, modifiedAt, paths: [path], session: () => Promise.resolve(session) };
    });
    return gone.length === 0 ? own : newestFirst([...own, ...gone]);
  }

  related(session: SavedSession): Promise<readonly SavedSession[]> {
    // A copy has its subagents in it.
    return session.isGone === true ? Promise.resolve([]) : this.own.related(session);
  }

  private copies(): Promise<readonly FoundCopy[]> {
    return this.kept.list(this.agent);
  }
}

/** The copies whose sessions the agent has deleted. @param there those that it has */
function goneOf(copies: readonly FoundCopy[], there: readonly { readonly id: string }[]): readonly SavedSession[] {
  if (copies.length === 0) return [];
  const ids = new Set(there.map(({ id }) => id));
  return copies.filter(({ fileId }) => !ids.has(fileId)).map(({ session }) => session);
}

function marked(session: SavedSession | undefined, copy: FoundCopy | undefined): SavedSession | undefined {
  return session && copy ? { ...session, kept: copy.session.kept } : session;
}
