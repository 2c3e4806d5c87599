interface Disposable {
  dispose(): void;
}

/** Adds a listener, until the result is disposed. */
export type Event<T> = (listener: (event: T) => void) => Disposable;

/** Calls listeners, like VS Code's `EventEmitter`. If one throws, the others are still called. */
export class Emitter<T> {
  private listeners: readonly ((event: T) => void)[] = [];

  readonly event: Event<T> = (listener) => {
    const own = (event: T): void => listener(event); // A listener that is added twice is called twice.
    this.listeners = [...this.listeners, own];
    return { dispose: () => (this.listeners = this.listeners.filter((other) => other !== own)) };
  };

  fire(event: T): void {
    // Adding or removing listeners meanwhile creates another list.
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        // Not the caller's fault. The extension host logs this.
        // eslint-disable-next-line no-console
        console.error(error);
      }
    }
  }
}
