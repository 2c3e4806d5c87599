import { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { EventText, Place, Retry, TurnEnding, WriterContext } from '../../../protocols/agentWriter/verbs';
import { ofFile } from '../../../protocols/agentWriter/verbs';
import type { WireMessage } from '../../../wire/wireEvent';

/** Writes what a file of a session says, with the retries that a log beside it announces. */
export class SavedWriter extends AgentWriter {
  private announced: { readonly place: Place; readonly retry: Retry } | undefined;

  constructor(context: WriterContext) {
    super(context, ofFile);
  }

  /** Reports a retry that a log announces. It takes place unless the turn fails before its time. */
  willRetry(retry: Retry): void {
    this.takesPlace();
    this.announced = { place: this.place, retry };
  }

  override begin(event: WireMessage, time: number | undefined, sessionId?: string): void {
    super.begin(event, time, sessionId);
    const { place, retry } = this.announced ?? {};
    if (place && event.t >= place.event.t + (retry?.inMs ?? 0)) this.takesPlace();
  }

  override turnEnded(end: TurnEnding, text?: EventText): void {
    if (end.outcome === 'error') this.tookNoPlace();
    super.turnEnded(end, text);
  }

  override pause(t: number): void {
    this.takesPlace();
    super.pause(t);
  }

  override settle(): void {
    this.takesPlace();
    super.settle();
  }

  override get isWaiting(): boolean {
    return this.announced !== undefined || super.isWaiting;
  }

  private takesPlace(): void {
    const { announced } = this;
    this.announced = undefined;
    if (announced) this.at(announced.place, () => this.retry(announced.retry));
  }

  private tookNoPlace(): void {
    const { announced } = this;
    this.announced = undefined;
    if (!announced) return;
    const { why } = announced.retry;
    this.at(announced.place, () => this.note({ level: 'debug', logger: 'api', message: `request failed: ${why}` }));
  }
}
