import { oneLine } from '../../../log/text';
import type { WireMessage } from '../../../wire/wireEvent';
import { SessionIds } from '../../sessionIds';
import { boundedData, boundedText } from '../../boundedData';
import type { EventText } from '../../streams/eventText';
import { SavedFacts } from './savedFacts';
import type { Place, SavedSessionIds, SavedSink } from './savedNotes';
import { sizeOf } from './savedText';

/** Maximum length of a raw line to keep with more than its first record, in characters. */
const maxShared = 16_384;

/** Knows the line and the session that are read, and writes records about them. */
export class RecordWriter {
  protected readonly isBrief: boolean;
  protected readonly facts: SavedFacts;
  private readonly sessions: SessionIds;
  private current: Place = { event: { t: 0, dir: 'a2c', line: '' }, sessionId: undefined };
  private isFirst = true;

  constructor(protected readonly sink: SavedSink) {
    this.isBrief = sink.isBrief ?? false;
    this.facts = new SavedFacts(sink);
    this.sessions = new SessionIds((sessionId, at) => {
      const parent = this.facts.parentOf(sessionId);
      sink.session({ type: 'seen', sessionId, at, ...(parent !== undefined && { parent }) });
    });
  }

  /** The line that is read, and its session, if one was named. */
  get place(): Place {
    return this.current;
  }

  /** Starts reading a line. */
  begin(event: WireMessage): void {
    this.current = { ...this.current, event };
    this.isFirst = true;
  }

  /** Sets the session of what follows. */
  in({ id, parent, name }: SavedSessionIds): void {
    if (parent !== undefined && parent !== id) this.facts.subagent(id, { parent, name });
    const { event } = this.current;
    this.current = { event, sessionId: this.sessions.file(id, event.t) };
  }

  note({ level, kind = 'activity', logger, message, data }: EventText): void {
    if (this.isBrief) return;
    const { event, sessionId } = this.current;
    const { t, line } = event;
    this.sink.record({
      receivedAt: t,
      level,
      kind,
      ...(sessionId !== undefined && { sessionId }),
      ...(logger !== undefined && { logger: oneLine(logger, 100) }),
      message: boundedText(message),
      ...(data !== undefined && { data: boundedData(data) }),
      ...(line !== '' && (this.isFirst || line.length <= maxShared) && { raw: line }),
    });
    this.isFirst = false;
  }

  /** Reports bookkeeping or an unknown record by its type and size, without its JSON. */
  other(what: string, logger = 'session'): void {
    if (this.isBrief) return;
    const size = sizeOf(this.current.event.line.length);
    this.note({ level: 'debug', logger, message: `${oneLine(what, 100)} (${size})` });
  }

  unknown(type: string | undefined): void {
    this.other(`unknown record type ${type === undefined ? '(none)' : `"${oneLine(type, 60)}"`}`);
  }

  /** Writes something at another line. */
  protected at(place: Place, write: () => void): void {
    const { current, isFirst } = this;
    [this.current, this.isFirst] = [place, false];
    write();
    [this.current, this.isFirst] = [current, isFirst];
  }
}
