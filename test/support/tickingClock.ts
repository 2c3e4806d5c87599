import type { Every } from '../../src/wire/journal/diskQueue';

/** A clock that tests advance manually. */
export class TickingClock {
  private readonly calls = new Set<{ readonly ms: number; readonly call: () => void }>();

  readonly every: Every = (ms, call) => {
    const own = { ms, call };
    this.calls.add(own);
    return { dispose: () => this.calls.delete(own) };
  };

  /** Intervals of the waiting functions, in milliseconds. */
  get periods(): readonly number[] {
    return [...this.calls].map(({ ms }) => ms);
  }

  /** Calls all waiting functions the given number of times. */
  tick(times: number): void {
    for (let n = 0; n < times; n++) for (const { call } of [...this.calls]) call();
  }
}
