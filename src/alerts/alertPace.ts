/** An alert is reported at most once in this time, in milliseconds. */
export const alertPace = 60_000;

/** Reports the first match at once. Those of the next minute are reported together when it is over, by the newest one. */
export class AlertPace<Match> {
  private timer: NodeJS.Timeout | undefined;
  private newest: Match | undefined;
  private count = 0;

  /** @param report `others`: how many more matched in the last minute */
  constructor(private readonly report: (match: Match, others: number) => void) {}

  /** @param count how many matched, with the first and the newest */
  add(count: number, first: Match, newest: Match): void {
    let left = count;
    if (!this.timer) {
      left--;
      this.send(first, 0);
    }
    if (left === 0) return;
    this.count += left;
    this.newest = newest;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private send(match: Match, others: number): void {
    this.timer = setTimeout(() => this.pass(), alertPace);
    this.timer.unref();
    this.report(match, others);
  }

  private pass(): void {
    const { newest, count } = this;
    this.timer = this.newest = undefined;
    this.count = 0;
    if (newest !== undefined) this.send(newest, count - 1);
  }
}
