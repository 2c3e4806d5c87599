import type { WireMessage } from '../../wire/wireEvent';
import type { ActivityDraft, ActivityFact } from '../../work/activity';
import type { InterpreterSink } from '../interpreter';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { exchangeRecord } from '../jsonrpc/exchangeText';

/** Writes what a message says: its records at once, and the facts about the agent's work after the fact of the message itself. */
export class AcpWriter {
  private readonly facts: ActivityFact[] = [];
  private current: WireMessage | undefined;
  private isHistory = false;

  /** @param note bounds a fact, and tells the reader's `Work` */
  constructor(
    private readonly sink: Pick<InterpreterSink, 'record' | 'fact'>,
    private readonly note: (fact: ActivityFact) => ActivityFact,
  ) {}

  /** @param isReplay whether it repeats the history of its session: that is shown as such, and isn't work */
  begin(event: WireMessage, isReplay = false): void {
    this.current = event;
    this.isHistory = isReplay;
  }

  /** The message that is being read. */
  get event(): WireMessage {
    if (!this.current) throw new Error('no message is being read');
    return this.current;
  }

  get isReplay(): boolean {
    return this.isHistory;
  }

  record(sessionId: string | undefined, text: ExchangeText): void {
    const { event, isReplay } = this;
    const shown: ExchangeText = isReplay ? { ...text, level: 'debug', message: replayed(text.message) } : text;
    this.sink.record(exchangeRecord(sessionId, event.t, event.line, shown));
  }

  fact(sessionId: string | undefined, activity: ActivityDraft): void {
    if (this.isHistory) return;
    const fact = this.note({ ...activity, event: this.event, sessionId });
    if (this.sink.fact) this.facts.push(fact);
  }

  /** Passes on the facts of the message. */
  end(): void {
    this.current = undefined;
    for (const fact of this.facts.splice(0)) this.sink.fact?.(fact);
  }
}

export function replayed(message: string): string {
  return `(replay) ${message}`;
}
