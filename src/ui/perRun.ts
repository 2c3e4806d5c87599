import type { Disposable } from './disposables';
import { Disposables } from './disposables';

/** Runs that come and go: any library's events will do. */
export interface RunSource<T> {
  readonly onDidAdd: (listener: (run: T) => void) => Disposable;
  readonly onDidRemove: (listener: (run: T) => void) => Disposable;
}

/** What is held on to for each run, and let go of when the run is forgotten. */
export class PerRun<T> implements Disposable {
  private readonly disposables = new Disposables();
  private readonly held = new Map<T, Disposables>();

  /** @param follow is called for every new run, and adds what ends with it */
  constructor(runs: RunSource<T>, follow: (run: T, disposables: Disposables) => void) {
    this.disposables.add(
      runs.onDidAdd((run) => {
        const disposables = new Disposables();
        this.held.set(run, disposables);
        follow(run, disposables);
      }),
    );
    this.disposables.add(
      runs.onDidRemove((run) => {
        this.held.get(run)?.dispose();
        this.held.delete(run);
      }),
    );
  }

  dispose(): void {
    this.disposables.dispose();
    for (const disposables of this.held.values()) disposables.dispose();
    this.held.clear();
  }
}
