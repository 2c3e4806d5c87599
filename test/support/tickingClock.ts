import type { Every } from '../../src/wire/journal/diskQueue';

/** A clock that a test moves by hand. */
export class TickingClock {
  private readonly calls = new Set<{ readonly ms: number; readonly call: () => void }>();

  readonly every: Every = (ms, call) => {
    const own = { ms, call };
    this.calls.add(own);
    return { dispose: () => this.calls.delete(own) };
  };

  /** How often the functions that wait want to be called, in milliseconds. */
  get periods(): readonly number[] {
    return [...this.calls].map(({ ms }) => ms);
  }

  /** Calls everything that waits, so many times. */
  tick(times: number): void {
    for (let n = 0; n < times; n++) for (const { call } of [...this.calls]) call();
  }
}
