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
