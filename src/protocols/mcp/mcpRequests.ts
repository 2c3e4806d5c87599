import type { WireDirection } from '../../wire/wireEvent';
import type { RequestId } from '../json';
import { twinOf } from '../json';
import type { OpenRequest, RequestProgress } from '../openRequests';
import { OpenRequests, requestKey } from '../openRequests';

/** How a request came to its end; `failed` is without an answer. */
export type Ending = 'answered' | 'cancelled' | 'failed';

/** A request that is no longer open, remembered for what comes late. */
export interface ClosedRequest {
  readonly request: OpenRequest;
  readonly ending: Ending;
  /** Whether it was told that its progress goes on. */
  lateProgressTold: boolean;
}

/** So many closed requests, the newest, are remembered. */
const maxClosed = 200;

/** The requests of a connection: those open, by id and by progress token, and those lately closed. */
export class McpRequests {
  private readonly open = new OpenRequests();
  /** The open request of each progress token. */
  private readonly tokens = new Map<string, OpenRequest>();
  private readonly closed = new Map<string, ClosedRequest>();

  /** Notes a request; answers the one whose place it takes: an id used twice, or the oldest of too many. */
  add(request: OpenRequest): OpenRequest | undefined {
    const displaced = this.open.add(request);
    if (displaced) this.dropToken(displaced);
    this.closed.delete(requestKey(request.direction, request.id));
    const token = tokenOf(request);
    if (token !== undefined) this.tokens.set(token, request);
    return displaced;
  }

  /** The request that an answer going `dir` belongs to, which is then closed. 1 and "1" are one id where only one of them is open. */
  answer(dir: WireDirection, id: RequestId): OpenRequest | undefined {
    return this.close(dir === 'a2c' ? 'out' : 'in', id, 'answered');
  }

  /**
   * The request that a cancellation going `dir` means, which is then closed: one of the sender's own, else one that was made to the
   * sender, who will not answer it.
   */
  cancel(dir: WireDirection, id: RequestId): OpenRequest | undefined {
    const own = dir === 'c2a' ? 'out' : 'in';
    return this.close(own, id, 'cancelled') ?? this.close(own === 'out' ? 'in' : 'out', id, 'cancelled');
  }

  /** The request of ours, which is then closed: it will not be answered, since it did not get through. */
  fail(id: RequestId): OpenRequest | undefined {
    return this.close('out', id, 'failed');
  }

  /** The request that an answer going `dir` would belong to, had it come before. */
  lately(dir: WireDirection, id: RequestId): ClosedRequest | undefined {
    const direction = dir === 'a2c' ? 'out' : 'in';
    const twin = twinOf(id);
    return (
      this.closed.get(requestKey(direction, id)) ??
      (twin === undefined ? undefined : this.closed.get(requestKey(direction, twin)))
    );
  }

  /** The open request whose progress is told with the token, in a message going `dir`. */
  byToken(dir: WireDirection, token: RequestId): OpenRequest | undefined {
    const direction = dir === 'a2c' ? 'out' : 'in';
    const known = this.tokens.get(tokenKey(direction, token));
    return known && this.open.find(direction, known.id);
  }

  /** The closed request whose progress was told with the token. */
  latelyByToken(dir: WireDirection, token: RequestId): ClosedRequest | undefined {
    const key = tokenKey(dir === 'a2c' ? 'out' : 'in', token);
    for (const closed of this.closed.values()) if (tokenOf(closed.request) === key) return closed;
    return undefined;
  }

  /** Notes how far an open request has come; answers it as it is now. */
  report({ direction, id }: OpenRequest, progress: RequestProgress): OpenRequest | undefined {
    return this.open.report(direction, id, progress);
  }

  /** All that are open, oldest first, which then no longer are. */
  takeAll(): OpenRequest[] {
    this.tokens.clear();
    return this.open.takeAll();
  }

  private close(direction: OpenRequest['direction'], id: RequestId, ending: Ending): OpenRequest | undefined {
    const twin = twinOf(id);
    const request =
      this.open.remove(direction, id) ?? (twin === undefined ? undefined : this.open.remove(direction, twin));
    if (!request) return undefined;
    this.dropToken(request);
    this.closed.set(requestKey(direction, request.id), { request, ending, lateProgressTold: false });
    const [oldest] = this.closed.keys();
    if (this.closed.size > maxClosed && oldest !== undefined) this.closed.delete(oldest);
    return request;
  }

  private dropToken(request: OpenRequest): void {
    const token = tokenOf(request);
    // The token may be another's by now, which is against the protocol.
    if (token !== undefined && this.tokens.get(token)?.id === request.id) this.tokens.delete(token);
  }
}

function tokenOf({ direction, progressToken }: OpenRequest): string | undefined {
  return progressToken === undefined ? undefined : tokenKey(direction, progressToken);
}

/** Servers give a number back as text, and text as a number: the type is not looked at. */
function tokenKey(direction: OpenRequest['direction'], token: RequestId): string {
  return `${direction} ${token}`;
}
