/** Something to be let go of. */
interface Disposable {
  dispose(): void;
}

/** Calls the listener whenever it happens, until what it answers is disposed of. */
export type Event<T> = (listener: (event: T) => void) => Disposable;

/** Tells listeners of something, as VS Code's does. A listener that throws keeps none of the others from being told. */
export class Emitter<T> {
  private listeners: readonly ((event: T) => void)[] = [];

  readonly event: Event<T> = (listener) => {
    const own = (event: T): void => listener(event); // a listener that is added twice is called twice
    this.listeners = [...this.listeners, own];
    return { dispose: () => (this.listeners = this.listeners.filter((other) => other !== own)) };
  };

  fire(event: T): void {
    // Those who come and go meanwhile change another list.
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        // The caller can't help it. The extension host writes this to its log.
        // eslint-disable-next-line no-console
        console.error(error);
      }
    }
  }
}
