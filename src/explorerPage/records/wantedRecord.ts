import type { Id } from '../list/rows';
import type { LogTab } from './logTab';

/** The record whose row another tab is to select: that of the log's selection when the tab opens, or one that was asked for. */
export class WantedRecord {
  /** Its number, until its row was looked for. */
  seq: number | undefined;
  /** Whether the filter is set aside if it hides that row. */
  isInAnyCase = false;
  /** The log's selection that was followed last. */
  private cameFrom: Id | undefined;

  constructor(private readonly log: LogTab) {}

  /** Called when the tab opens. */
  follow(): void {
    const { current } = this.log.list;
    if (this.seq !== undefined || typeof current !== 'number' || current === this.cameFrom) return;
    this.seq = this.cameFrom = current;
  }

  /** Asks for a record, whatever the filter. */
  reveal(seq: number): void {
    this.seq = seq;
    this.isInAnyCase = true;
    this.stay();
  }

  /** The log's selection isn't to be followed when the tab opens. */
  stay(): void {
    this.cameFrom = this.log.list.current;
  }

  /** Its row was looked for. */
  done(): void {
    this.seq = undefined;
    this.isInAnyCase = false;
  }
}
