import { BoundedMap } from '../../text/boundedMap';
import type { RecordDraft } from '../../text/record';
import type { WireMessage } from '../../wire/wireEvent';
import type { ActivityDraft, Asking } from '../../work/activity';
import type { Work, WorkEnd } from '../../work/work';
import { Facts } from '../facts';
import type { InterpreterSink, ReaderContext } from '../interpreter';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { exchangeRecord } from '../jsonrpc/exchangeText';
import { SessionIds } from '../sessionIds';
import type { TextChunk } from '../textChunks';
import { TextChunks } from '../textChunks';
import type { AcpExtensions } from './extension';
import { SessionMap } from './session';

const maxQuestions = 200;

/** What the functions that read a run work on: its sessions, and where their records and facts go. */
export class AcpWriter {
  readonly sessions = new SessionMap();
  readonly ids: SessionIds;
  readonly chunks: TextChunks;
  /** Open questions by request ID, with their session. */
  readonly questions = new BoundedMap<string, { readonly sessionId: string | undefined; readonly asking: Asking }>(
    maxQuestions,
  );
  /** The agent's name in `initialize`. */
  agent = '';
  /** Whether the agent speaks version 2. */
  isVersion2 = false;
  readonly sink: InterpreterSink;
  readonly work: Work;
  private readonly facts: Facts;
  private current: WireMessage | undefined;
  /** Whether the message repeats the history of its session: that is shown as such, and isn't work. */
  isReplay = false;

  /** @param earlier receives records of earlier messages */
  constructor(
    { sink, work }: ReaderContext,
    readonly extensions: AcpExtensions,
    earlier: (draft: RecordDraft) => void,
  ) {
    this.sink = sink;
    this.work = work;
    this.facts = new Facts(sink, work);
    this.ids = new SessionIds((sessionId, at) => sink.session({ type: 'seen', sessionId, at }));
    this.chunks = new TextChunks(earlier);
  }

  begin(event: WireMessage): void {
    this.current = event;
    this.isReplay = false;
  }

  /** The message that is being read. */
  get event(): WireMessage {
    if (!this.current) throw new Error('no message is being read');
    return this.current;
  }

  record(sessionId: string | undefined, text: ExchangeText): void {
    const { event, isReplay } = this;
    const shown: ExchangeText = isReplay ? { ...text, level: 'debug', message: replayed(text.message) } : text;
    this.sink.record(exchangeRecord(sessionId, event.t, event.line, shown));
  }

  /** Adds a chunk of a text. */
  add(chunk: Omit<TextChunk, 'receivedAt' | 'raw'>): void {
    const { isMinor = false, lead = '' } = chunk;
    const { event, isReplay } = this;
    this.chunks.add({
      ...chunk,
      receivedAt: event.t,
      raw: event.line,
      isMinor: isMinor || isReplay,
      lead: isReplay ? replayed(lead) : lead,
    });
  }

  /** Completes the session's message because something else happens. */
  interrupt(sessionId: string | undefined): void {
    if (sessionId !== undefined) this.chunks.complete(sessionId);
  }

  /** Writes a fact. Returns what it ended. */
  fact(sessionId: string | undefined, activity: ActivityDraft): WorkEnd | undefined {
    return this.isReplay ? undefined : this.facts.say({ ...activity, event: this.event, sessionId });
  }

  /** Forgets what ended with the process. */
  clear(): void {
    this.sessions.clear();
    this.questions.clear();
  }
}

function replayed(message: string): string {
  return `(replay) ${message}`;
}
