import type { Words } from '../../text/translator';
import type { OtlpSend, OtlpSendResult } from '../otlpHttp';
import type { RunProgress } from './runProgress';
import { SendingStopped } from './sendingStopped';

/** Pause after the exporter's own retries have failed, in milliseconds, and how often to begin them again. */
const roundDelay = 30_000;
const maxRounds = 10;
/** How long an answer may take once the user cancelled, in milliseconds: without it, the request would be sent again. */
const answerGrace = 3000;
/** After this many requests in a row of which the collector took nothing, it takes nothing at all. */
const maxRefused = 3;
/** Of a request that is too large, as HTTP says. */
const tooLarge = 413;
/** HTTP statuses that are about what was sent. Any other is about the collector, its address or its credentials. */
const aboutData: readonly number[] = [400, tooLarge, 422];

export interface RequestTime {
  /** Settles after some milliseconds, or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called before a pause, in milliseconds. */
  readonly onWait: (reason: Words, ms: number) => void;
}

/** What was sent so far, and what the collector rejected of it. */
export interface SentCounts {
  accepted: number;
  rejected: number;
  /** Why, as the collector last said. */
  reason?: Words;
}

/** An item on its way to the collector. */
export interface Parcel<Item> {
  readonly item: Item;
  /** Estimated memory, in bytes. */
  readonly size: number;
  readonly run: RunProgress;
  /** Number of the record, or of the span. */
  readonly number: number;
}

/**
 * Sends requests one after the other, until the collector has taken or refused each. What it took must not be sent again, even if it rejected
 * a part: OTLP doesn't say which one.
 */
export class RequestSender<Item> {
  readonly counts: SentCounts = { accepted: 0, rejected: 0 };
  private refusedInRow = 0;

  /** @param taken called with what the collector took, before more is sent */
  constructor(
    private readonly post: OtlpSend<Item>,
    private readonly taken: (parcels: readonly Parcel<Item>[]) => Promise<void>,
    private readonly time: RequestTime,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws SendingStopped if the collector can't be reached or takes nothing at all, or the user cancelled */
  async send(parcels: readonly Parcel<Item>[]): Promise<void> {
    for (let round = 1; ; round++) {
      if (this.signal.aborted) throw new SendingStopped();
      const result = await this.answerTo(parcels.map(({ item }) => item));
      if (!result) throw new SendingStopped();
      if (result.type === 'sent') return this.accepted(parcels, result.rejected ?? 0, result.reason);
      const { reason } = result;
      if (result.type === 'refused') return this.refused(parcels, reason, result.status);
      // An address where nothing has ever answered is probably wrong.
      const mayRecover = result.isBusy === true || this.counts.accepted > 0;
      if (!mayRecover || round >= maxRounds) throw new SendingStopped(reason);
      this.time.onWait(reason, roundDelay);
      await this.time.sleep(roundDelay, this.signal);
    }
  }

  /** `undefined` if the user cancelled, and no answer came. */
  private async answerTo(items: Item[]): Promise<OtlpSendResult | undefined> {
    const answered = new AbortController();
    const givenUp = new Promise<undefined>((resolve) => {
      const giveUp = (): void => void this.time.sleep(answerGrace, answered.signal).then(() => resolve(undefined));
      this.signal.addEventListener('abort', giveUp, { signal: answered.signal });
    });
    try {
      return await Promise.race([this.post(items), givenUp]);
    } finally {
      answered.abort();
    }
  }

  private async accepted(parcels: readonly Parcel<Item>[], rejected: number, reason?: Words): Promise<void> {
    const { counts } = this;
    this.refusedInRow = 0;
    counts.accepted += parcels.length - rejected;
    counts.rejected += rejected;
    if (reason) counts.reason = reason;
    await this.taken(parcels);
  }

  private async refused(parcels: readonly Parcel<Item>[], reason: Words, status?: number): Promise<void> {
    if (status === tooLarge && parcels.length > 1) {
      const half = Math.ceil(parcels.length / 2);
      await this.send(parcels.slice(0, half));
      return this.send(parcels.slice(half));
    }
    this.counts.reason = reason;
    for (const { run } of parcels) run.isIncomplete = true;
    const isAboutData = status === undefined || aboutData.includes(status);
    if (!isAboutData || ++this.refusedInRow >= maxRefused) throw new SendingStopped(reason);
  }
}
