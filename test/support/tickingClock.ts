import type { Every } from '../../src/wire/diskQueue';

/** A clock that a test moves by hand. */
export class TickingClock {
  private readonly calls = new Set<() => void>();

  readonly every: Every = (_ms, call) => {
    // One object for each, though two may pass the same function.
    const own = (): void => call();
    this.calls.add(own);
    return { dispose: () => this.calls.delete(own) };
  };

  /** Calls everything that waits, so many times. */
  tick(times: number): void {
    for (let n = 0; n < times; n++) for (const call of [...this.calls]) call();
  }
}
