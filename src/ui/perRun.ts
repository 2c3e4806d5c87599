import type { Disposable } from './disposables';
import { DisposableOwner, Disposables } from './disposables';

/** Reports runs that are added and removed, with our own or VS Code's events. */
export interface RunSource<T> {
  readonly onDidAdd: (listener: (run: T) => void) => Disposable;
  readonly onDidRemove: (listener: (run: T) => void) => Disposable;
}

/** Holds disposables for each run until the run is removed. */
export class PerRun<T> extends DisposableOwner {
  private readonly held = new Map<T, Disposables>();

  /** @param follow called for every new run; adds what to dispose of with it */
  constructor(runs: RunSource<T>, follow: (run: T, disposables: Disposables) => void) {
    super();
    this.own(
      runs.onDidAdd((run) => {
        const disposables = new Disposables();
        this.held.set(run, disposables);
        follow(run, disposables);
      }),
    );
    this.own(
      runs.onDidRemove((run) => {
        this.held.get(run)?.dispose();
        this.held.delete(run);
      }),
    );
  }

  override dispose(): void {
    super.dispose();
    for (const disposables of this.held.values()) disposables.dispose();
    this.held.clear();
  }
}
