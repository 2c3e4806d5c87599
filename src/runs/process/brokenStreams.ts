import type { RequestId } from '../../protocols/json';

/**
 * Requests whose streams broke off before the answer, by the last event of each: by that the rest is asked for. Several may have the same,
 * with a server that does not number its events across streams; they are taken in their order.
 */
export class BrokenStreams {
  private requests = new Map<string, readonly RequestId[]>();

  /** @param isAwaited whether the answer to a request is still awaited */
  constructor(private readonly isAwaited: (request: RequestId) => boolean) {}

  add(lastId: string, request: RequestId): void {
    const awaited = new Map<string, readonly RequestId[]>();
    for (const [id, all] of this.requests) {
      const left = all.filter((one) => this.isAwaited(one));
      if (left.length > 0) awaited.set(id, left);
    }
    this.requests = awaited.set(lastId, [...(awaited.get(lastId) ?? []), request]);
  }

  /** The request whose stream is taken up again after an event. */
  take(lastId: string): RequestId | undefined {
    const [first, ...rest] = (this.requests.get(lastId) ?? []).filter((one) => this.isAwaited(one));
    if (rest.length > 0) this.requests.set(lastId, rest);
    else this.requests.delete(lastId);
    return first;
  }
}
