/** A window of the account's limits, such as five hours or a week. */
export interface QuotaWindow {
  /** As the agent names it, or how long it is. */
  readonly name: string;
  readonly usedPercent: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt?: number | undefined;
}
