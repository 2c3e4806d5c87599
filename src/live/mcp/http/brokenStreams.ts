import type { RequestId } from '../../../text/json';

/**
 * Requests whose streams broke off before the response, by the last event ID, with which they are resumed. Several may share one if a server's event IDs
 * aren't unique across streams; they are resumed in order.
 */
export class BrokenStreams {
  private requests = new Map<string, readonly RequestId[]>();

  /** @param isAwaited returns whether a request is still waiting for its response */
  constructor(private readonly isAwaited: (request: RequestId) => boolean) {}

  add(lastId: string, request: RequestId): void {
    const awaited = new Map<string, readonly RequestId[]>();
    for (const [id, all] of this.requests) {
      const left = all.filter((one) => this.isAwaited(one));
      if (left.length > 0) awaited.set(id, left);
    }
    this.requests = awaited.set(lastId, [...(awaited.get(lastId) ?? []), request]);
  }

  /** The request whose stream is resumed after an event. */
  take(lastId: string): RequestId | undefined {
    const [first, ...rest] = (this.requests.get(lastId) ?? []).filter((one) => this.isAwaited(one));
    if (rest.length > 0) this.requests.set(lastId, rest);
    else this.requests.delete(lastId);
    return first;
  }
}
