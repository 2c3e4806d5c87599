import type { Words } from '../text/translator';
import type { OtlpSendResult } from './otlpHttp';

/** What the export reports to the user. */
export type OtlpReport =
  /** The collector accepted the first request. */
  | { readonly type: 'connected' }
  /** Reported once until a request succeeds. */
  | { readonly type: 'unreachable' | 'refused'; readonly reason: Words }
  /** A request succeeded after failures; `notSent` items were lost since the last success. */
  | { readonly type: 'reconnected'; readonly notSent: number }
  /** Items lost since the last report of a loss. */
  | { readonly type: 'not-sent'; readonly notSent: number };

/** Minimum time between two reports of a loss, in milliseconds. */
const lossInterval = 60_000;

/** Counts sent and lost records, spans or durations, and reports each change once. */
export class OtlpDelivery {
  private isConnected = false;
  private failure: OtlpSendResult['type'] | undefined;
  private lostSinceSuccess = 0;
  private lostSinceReport = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  sent = 0;
  notSent = 0;

  constructor(private readonly report: (report: OtlpReport) => void) {}

  succeed(count: number): void {
    this.sent += count;
    if (this.isClosed) return;
    if (this.failure) {
      this.report({ type: 'reconnected', notSent: this.lostSinceSuccess });
      this.lostSinceReport = 0;
    } else if (!this.isConnected) this.report({ type: 'connected' });
    this.isConnected = true;
    this.failure = undefined;
    this.lostSinceSuccess = 0;
  }

  fail({ type, reason }: Exclude<OtlpSendResult, { type: 'sent' }>): void {
    if (this.failure !== type && !this.isClosed) this.report({ type, reason });
    this.failure = type;
  }

  lose(count: number): void {
    if (count === 0) return;
    this.notSent += count;
    this.lostSinceSuccess += count;
    this.lostSinceReport += count;
    if (this.isClosed) this.reportLoss();
    else this.timer ??= setTimeout(() => this.reportLoss(), lossInterval);
  }

  /** Reports losses immediately from now on, and nothing else. */
  close(): void {
    this.isClosed = true;
    this.reportLoss();
  }

  private reportLoss(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lostSinceReport > 0) this.report({ type: 'not-sent', notSent: this.lostSinceReport });
    this.lostSinceReport = 0;
  }
}
