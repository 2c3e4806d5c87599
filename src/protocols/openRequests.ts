import type { WireDirection } from '../wire/wireEvent';
import type { RequestId } from './json';

/** How far a request has come (MCP "Progress"). */
export interface RequestProgress {
  /** Grows while work goes on; of `total`, where that is known. A turn of ACP counts the tool calls that have ended. */
  readonly progress: number;
  readonly total?: number;
  /** What is being done, for a person: one line. */
  readonly message?: string;
}

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
  /** By what its progress is told (MCP `_meta.progressToken`). */
  readonly progressToken?: RequestId;
  /** Absent until something is told of it. */
  readonly progress?: RequestProgress;
  /** Its session has ended since it was sent: its answer does not mean that the session can be used. */
  readonly isOutdated?: boolean;
}

/** More open requests than this are not a conversation: the oldest are forgotten. */
const maxOpen = 1000;

/** Pairs answers with requests, in both directions; each side counts its ids for itself. */
export class OpenRequests {
  private readonly open = new Map<string, OpenRequest>();

  /** Notes a request; answers the one whose place it takes: an id used twice, or the oldest of too many. */
  add(request: OpenRequest): OpenRequest | undefined {
    const key = requestKey(request.direction, request.id);
    const sameId = this.open.get(key);
    this.open.delete(key);
    this.open.set(key, request);
    if (sameId) return sameId;
    const [oldest] = this.open.values();
    if (!oldest || this.open.size <= maxOpen) return undefined;
    this.open.delete(requestKey(oldest.direction, oldest.id));
    return oldest;
  }

  /** The request that an answer going `dir` belongs to, which is no longer open. */
  take(dir: WireDirection, id: RequestId): OpenRequest | undefined {
    return this.remove(dir === 'a2c' ? 'out' : 'in', id);
  }

  /** The request, which is no longer open. */
  remove(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    const key = requestKey(direction, id);
    const request = this.open.get(key);
    this.open.delete(key);
    return request;
  }

  find(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    return this.open.get(requestKey(direction, id));
  }

  /** Notes how far a request has come; answers the request as it is now, or `undefined` where it is not open. */
  report(direction: OpenRequest['direction'], id: RequestId, progress: RequestProgress): OpenRequest | undefined {
    const request = this.find(direction, id);
    if (!request) return undefined;
    const current: OpenRequest = { ...request, progress };
    this.open.set(requestKey(direction, id), current);
    return current;
  }

  /** A session has ended: notes it of its open requests of this method. */
  outdate(sessionId: string, method: string): void {
    for (const [key, request] of this.open) {
      if (request.sessionId === sessionId && request.method === method) {
        this.open.set(key, { ...request, isOutdated: true });
      }
    }
  }

  /** All that are open, oldest first, which then no longer are. */
  takeAll(): OpenRequest[] {
    const all = [...this.open.values()];
    this.open.clear();
    return all;
  }
}

/** What tells a request from all others that are open: 1 and "1" are different ids. */
export function requestKey(direction: OpenRequest['direction'], id: RequestId): string {
  return `${direction} ${typeof id} ${id}`;
}
