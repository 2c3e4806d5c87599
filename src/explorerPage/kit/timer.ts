/** Runs a task later, once. */
export class Timer {
  private handle: number | undefined;

  constructor(private readonly task: () => void) {}

  get isPending(): boolean {
    return this.handle !== undefined;
  }

  /** @param delay in milliseconds; replaces a pending one */
  restart(delay: number): void {
    clearTimeout(this.handle);
    this.handle = window.setTimeout(() => {
      this.handle = undefined;
      this.task();
    }, delay);
  }

  /** Like `restart`, but a pending delay goes on. */
  start(delay: number): void {
    if (!this.isPending) this.restart(delay);
  }

  stop(): void {
    clearTimeout(this.handle);
    this.handle = undefined;
  }
}
