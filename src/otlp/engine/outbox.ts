import type { Parcel, RequestSender } from './requestSender';

/** Limits of a request. Collectors and the proxies before them have limits on its size. */
const defaultItems = 512;
const maxBytes = 1024 * 1024;

/** The records or the spans of runs that wait for a full request, in order. A request may have items of several runs. */
export class Outbox<Item> {
  private readonly queue: Parcel<Item>[] = [];
  private bytes = 0;

  /** @param maxItems of a request */
  constructor(
    private readonly sender: RequestSender<Item>,
    private readonly maxItems = defaultItems,
  ) {}

  add(parcel: Parcel<Item>): void {
    parcel.run.pending++;
    this.queue.push(parcel);
    this.bytes += parcel.size;
  }

  /**
   * Sends full requests, so that what is read waits for what is sent.
   * @throws SendingStopped
   */
  async sendFull(): Promise<void> {
    while (this.queue.length >= this.maxItems || this.bytes >= maxBytes) await this.sendNext();
  }

  /** Sends all that waits. @throws SendingStopped */
  async sendAll(): Promise<void> {
    while (this.queue.length > 0) await this.sendNext();
  }

  private async sendNext(): Promise<void> {
    const parcels = this.queue.splice(0, this.sizeOfNext());
    for (const { size } of parcels) this.bytes -= size;
    // What follows something that was refused waits for the next export: positions have no gaps.
    const wanted = parcels.filter(({ run }) => !run.isIncomplete);
    if (wanted.length > 0) await this.sender.send(wanted);
  }

  /** As many as one request may have, and at least one. */
  private sizeOfNext(): number {
    const { maxItems } = this;
    let bytes = 0;
    const end = this.queue.slice(0, maxItems).findIndex(({ size }, index) => {
      bytes += size;
      return index > 0 && bytes > maxBytes;
    });
    return end < 0 ? maxItems : end;
  }
}
