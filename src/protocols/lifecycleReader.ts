import type { RecordDraft } from '../log/record';
import type { WireProcessEvent } from '../wire/wireEvent';
import { asksToEnd, isEnd, lifecycleRecord } from './lifecycle';

/** Tells what befalls the process or the connection, and remembers whether we asked for the end: what ends then is no fault. */
export class LifecycleReader {
  private asked = false;

  constructor(private readonly record: (draft: RecordDraft) => void) {}

  get askedToEnd(): boolean {
    return this.asked;
  }

  /** A message has asked for the end, as LSP's `shutdown` does. */
  askToEnd(): void {
    this.asked = true;
  }

  /**
   * @param isTold whether the event was told in another way, now that it is known who wants the end
   * @returns whether nothing can be answered any more
   */
  accept(event: WireProcessEvent, isTold?: (event: WireProcessEvent) => boolean): boolean {
    if (asksToEnd(event)) this.asked = true;
    const record = isTold?.(event) === true ? undefined : lifecycleRecord(event, this.asked);
    if (record) this.record(record);
    return isEnd(event);
  }
}
