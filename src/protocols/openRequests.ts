import type { WireDirection } from '../wire/wireEvent';
import type { RequestId } from './json';

/** A request that was sent and not yet answered. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly method: string;
  /** `out`: we asked the agent. `in`: the agent asked us. */
  readonly direction: 'in' | 'out';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly sessionId?: string;
  /** The few of its parameters that its answer is told with. */
  readonly noted?: unknown;
}

/** More open requests than this are not a conversation: the oldest are forgotten. */
const maxOpen = 1000;

/** Pairs answers with requests, in both directions; each side counts its ids for itself. */
export class OpenRequests {
  private readonly open = new Map<string, OpenRequest>();

  /** Notes a request; answers the one whose place it takes: an id used twice, or the oldest of too many. */
  add(request: OpenRequest): OpenRequest | undefined {
    const key = keyOf(request.direction, request.id);
    const sameId = this.open.get(key);
    this.open.delete(key);
    this.open.set(key, request);
    if (sameId) return sameId;
    const [oldest] = this.open.values();
    if (!oldest || this.open.size <= maxOpen) return undefined;
    this.open.delete(keyOf(oldest.direction, oldest.id));
    return oldest;
  }

  /** The request that an answer going `dir` belongs to, which is no longer open. */
  take(dir: WireDirection, id: RequestId): OpenRequest | undefined {
    const key = keyOf(dir === 'a2c' ? 'out' : 'in', id);
    const request = this.open.get(key);
    this.open.delete(key);
    return request;
  }

  find(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    return this.open.get(keyOf(direction, id));
  }

  /** All that are open, oldest first, which then no longer are. */
  takeAll(): OpenRequest[] {
    const all = [...this.open.values()];
    this.open.clear();
    return all;
  }
}

/** 1 and "1" are different ids. */
function keyOf(direction: OpenRequest['direction'], id: RequestId): string {
  return `${direction} ${typeof id} ${id}`;
}
