/** Something that holds on to a resource until it is disposed of. */
export interface Disposable {
  dispose(): unknown;
}

/** Things that end together. What is added after the end ends at once. */
export class Disposables implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  /** Answers what it was given, so that a field can be declared with it. */
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
