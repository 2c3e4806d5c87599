/** Holds a resource until it is disposed of. */
export interface Disposable {
  dispose(): unknown;
}

/** Disposes of several things together. What is added later is disposed of at once. */
export class Disposables implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  /** Returns its argument, so that it can initialize a field. */
  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    for (const item of this.items) item.dispose();
    this.items.clear();
  }
}

/** Disposes of what it owns together with itself. */
export abstract class DisposableOwner implements Disposable {
  private readonly owned = new Disposables();

  dispose(): void {
    this.owned.dispose();
  }

  /** Returns its argument, so that it can initialize a field. */
  protected own<T extends Disposable>(item: T): T {
    return this.owned.add(item);
  }
}

/** Reports runs that are added and removed, with our own or VS Code's events. */
export interface RunSource<T> {
  readonly onDidAdd: (listener: (run: T) => void) => Disposable;
  readonly onDidRemove: (listener: (run: T) => void) => Disposable;
}

/** Holds disposables for each run until the run is removed. */
export class PerRun<T> extends DisposableOwner {
  private readonly held = new Map<T, readonly Disposable[]>();

  /** @param follow called for every new run; returns what to dispose of with it */
  constructor(runs: RunSource<T>, follow: (run: T) => readonly Disposable[]) {
    super();
    this.own(
      runs.onDidAdd((run) => {
        this.held.set(run, follow(run));
      }),
    );
    this.own(runs.onDidRemove((run) => this.release(run)));
  }

  override dispose(): void {
    super.dispose();
    for (const run of this.held.keys()) this.release(run);
  }

  private release(run: T): void {
    for (const item of this.held.get(run) ?? []) item.dispose();
    this.held.delete(run);
  }
}
