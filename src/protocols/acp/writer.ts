import type { WireMessage } from '../../wire/wireEvent';
import type { ActivityDraft } from '../../work/activity';
import type { WorkEnd } from '../../work/work';
import type { Facts } from '../facts';
import type { InterpreterSink } from '../interpreter';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { exchangeRecord } from '../jsonrpc/exchangeText';

/** Writes what a message says: its records, and the facts about the agent's work. */
export class AcpWriter {
  private current: WireMessage | undefined;
  private isHistory = false;

  constructor(
    private readonly sink: Pick<InterpreterSink, 'record'>,
    private readonly facts: Facts,
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
    this.say(sessionId, activity);
  }

  /** Writes a fact. Returns what it ended. */
  say(sessionId: string | undefined, activity: ActivityDraft): WorkEnd | undefined {
    return this.isHistory ? undefined : this.facts.say({ ...activity, event: this.event, sessionId });
  }
}

export function replayed(message: string): string {
  return `(replay) ${message}`;
}
