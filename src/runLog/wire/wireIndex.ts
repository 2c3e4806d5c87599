import { BoundedMap } from '../../text/boundedMap';
import type {
  ClosedFact,
  Fact,
  NotificationFact,
  ObjectFact,
  ProcessFact,
  RequestFact,
  ResponseFact,
} from '../../work/facts';
import type { OpenRequest } from '../../work/requests';
import { isEnd } from '../../protocols/lifecycle';
import { requestKeyOf } from '../../work/step';
import type { WireMessage } from '../../wire/wireEvent';
import type { TitleOf } from './carried';
import { carriedBy, objectName } from './carried';
import { pageRows } from './wirePage';
import { WireRows } from './wireRows';

const maxOpen = 1000;

/**
 * All requests and notifications of a run in columns, without their bodies. Deterministic: built from facts only. Excludes log messages,
 * which aren't parsed; the Log tab has them.
 */
export class WireIndex extends WireRows {
  private readonly open = new BoundedMap<string, number>(maxOpen);

  constructor(
    private readonly titleOf: TitleOf = () => undefined,
    maxBytes?: number,
  ) {
    super(maxBytes);
  }

  /** @param seq the newest record after reading the fact's line */
  see(fact: Fact, seq: number): void {
    switch (fact.type) {
      case 'request':
        return this.requested(fact, seq);
      case 'response':
        return this.answered(fact, seq);
      case 'closed':
        return this.closed(fact, seq);
      case 'notification':
        if (fact.event.isLog === true) return;
        return this.notified(fact, fact.method, seq);
      case 'object':
        return this.notified(fact, objectName(fact), seq);
      case 'process':
        return this.processChanged(fact, seq);
      default:
    }
  }

  /** The row of a request that isn't over. */
  rowOfOpen(request: OpenRequest): number | undefined {
    return this.open.get(requestKeyOf(request));
  }

  /** Drops everything before the oldest open request. */
  clear(): void {
    this.forgetBefore(this.open.values());
  }

  private requested(fact: RequestFact, seq: number): void {
    const { request, event } = fact;
    const carried = carriedBy(fact, this.titleOf);
    const { id, method, direction, sessionId, startedAt } = request;
    const key = requestKeyOf(request);
    // The ID was reused before it was answered.
    this.settle(this.open.get(key), 'unanswered', startedAt, seq);
    const size = sizeOf(event);
    const row = this.add(
      { at: startedAt, kind: 'request', direction, method, carried, sessionId, status: 'pending', id, size },
      seq,
    );
    this.open.set(key, row);
  }

  private answered({ request, event, error, sessionId }: ResponseFact, seq: number): void {
    if (!request) return;
    const row = this.take(request);
    const page = this.settle(row, error ? 'error' : 'ok', event.t, seq);
    if (!page || row === undefined) return;
    const place = row % pageRows;
    page.answerSizes[place] = sizeOf(event);
    if (typeof error?.code === 'number') page.setCode(place, error.code);
    if (page.sessions[place] === 0) page.sessions[place] = this.sessions.numberOf(sessionId ?? '');
  }

  private closed({ request, how, event }: ClosedFact, seq: number): void {
    this.settle(this.take(request), how === 'failed' ? 'error' : 'cancelled', event.t, seq);
  }

  private notified(fact: NotificationFact | ObjectFact, method: string, seq: number): void {
    const { event, sessionId } = fact;
    const carried = carriedBy(fact, this.titleOf);
    const direction = event.dir === 'c2a' ? 'out' : 'in';
    const size = sizeOf(event);
    this.add({ at: event.t, kind: 'notification', direction, method, carried, sessionId, status: 'none', size }, seq);
  }

  private processChanged({ event }: ProcessFact, seq: number): void {
    if (event.ev === 'http') {
      const { t: at, method, status, message, requestId: id } = event;
      const size = message.length;
      const row = this.add(
        { at, kind: 'http', direction: 'out', method, sessionId: undefined, status: 'error', id, size },
        seq,
      );
      if (status !== undefined) this.pageOf(row)?.setCode(row % pageRows, status);
    }
    if (!isEnd(event)) return;
    for (const row of this.open.values()) this.settle(row, 'unanswered', event.t, seq);
    this.open.clear();
  }

  private take(request: OpenRequest): number | undefined {
    const key = requestKeyOf(request);
    const row = this.open.get(key);
    this.open.delete(key);
    return row;
  }
}

function sizeOf({ bytes, line }: WireMessage): number {
  return bytes ?? Buffer.byteLength(line);
}
