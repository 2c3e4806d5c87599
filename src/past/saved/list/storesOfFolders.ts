import { newestFirst } from './newestFirst';
import type { ListOptions, SavedList, SavedSession, SavedStore, SearchableSession } from '../savedSession';
import type { WatchedFile } from './savedWatch';

/** Default number of sessions to list. */
const defaultLimit = 200;

/** The sessions of an agent that saves them in several folders, as one. */
export class StoresOfFolders implements SavedStore {
  constructor(private readonly stores: readonly SavedStore[]) {}

  async exists(): Promise<boolean> {
    return (await this.ofAll((store) => store.exists())).includes(true);
  }

  async list(options: ListOptions): Promise<SavedList> {
    const { limit = defaultLimit, onProgress } = options;
    const progress = this.stores.map(() => ({ read: 0, total: 0 }));
    const lists = await Promise.all(
      this.stores.map((store, index) => {
        const report = (one: { readonly read: number; readonly total: number }): void => {
          progress[index] = one;
          const sumOf = (name: 'read' | 'total'): number => progress.reduce((sum, { [name]: count }) => sum + count, 0);
          onProgress?.({ read: sumOf('read'), total: sumOf('total') });
        };
        return store.list({ ...options, limit, onProgress: report });
      }),
    );
    const sessions = (await newestFirst(lists.flatMap((list) => list.sessions))).slice(0, limit);
    const problem = lists.find((list) => list.problem)?.problem;
    const total = lists.reduce((sum, list) => sum + list.total, 0);
    const isCut = lists.some(({ read }) => read !== undefined);
    const read = lists.reduce((sum, list) => sum + (list.read ?? list.total), 0);
    return { sessions, total, ...(problem && { problem }), ...(isCut && { read }) };
  }

  async files(): Promise<readonly WatchedFile[]> {
    return newestFirst((await this.ofAll((store) => store.files())).flat());
  }

  async find(id: string): Promise<SavedSession | undefined> {
    const found = (await this.ofAll((store) => store.find(id))).flatMap((session) => session ?? []);
    return (await newestFirst(found))[0];
  }

  async searchable(signal?: AbortSignal): Promise<readonly SearchableSession[]> {
    return newestFirst((await this.ofAll((store) => store.searchable(signal))).flat());
  }

  async related(session: SavedSession): Promise<readonly SavedSession[]> {
    return (await this.ofAll((store) => store.related(session))).flat();
  }

  private ofAll<T>(ask: (store: SavedStore) => Promise<T>): Promise<readonly T[]> {
    return Promise.all(this.stores.map(ask));
  }
}
