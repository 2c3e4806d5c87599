import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { WriterContext } from '../../../protocols/agentWriter/verbs';
import type { JsonObject } from '../../../text/json';
import { textOf } from '../../../text/json';
import type { WireMessage } from '../../../wire/wireEvent';
import { recogniseSaved } from '../../agents';
import { besideRetry } from './besideLines';
import { BranchWriter } from './branchWriter';
import { HistoryWriter } from './historyWriter';
import { RecordOrigins } from './recordOrigins';
import type { LineOrigin, SavedReader } from './savedReader';
import { SavedWriter } from './savedWriter';

/** Limits on the lines that wait until a later one decides whose they are. */
const maxWaiting = 500;
const maxWaitingLength = 4 * 1024 * 1024;

interface Branch {
  readonly writer: AgentWriter;
  readonly reader: SavedReader;
}

interface WaitingLine {
  readonly event: WireMessage;
  readonly line: JsonObject;
  readonly origin: LineOrigin | undefined;
}

/** Reads one file of a session: the session's own, or a subagent's. */
export class MemberReader {
  private readonly main: SavedWriter;
  private reader: SavedReader | undefined;
  /** The ID of the file's session, from its first line that has one. */
  private session: string | undefined;
  private history: HistoryWriter | undefined;
  /** What other processes did at the same time in the same session. */
  private readonly branches = new Map<number, Branch>();
  private readonly writers: AgentWriter[];
  private readonly origins = new RecordOrigins((branch) => this.isInTurn(branch));
  private waiting: WaitingLine[] = [];
  private waitingLength = 0;
  /** The line that is read next, if what precedes it was completed. */
  private next: Pick<WaitingLine, 'line' | 'origin'> | undefined;

  constructor(private readonly context: WriterContext) {
    this.main = new SavedWriter(context);
    this.writers = [this.main];
  }

  /** Reads the lines that wait, if this one, which is read next, decides whose they are. */
  complete(line: JsonObject): void {
    const origin = this.originOf(line);
    this.next = { line, origin };
    if (origin && origin.type !== 'unsure') this.decide(origin);
  }

  read(event: WireMessage, line: JsonObject): void {
    const origin = this.next?.line === line ? this.next.origin : this.originOf(line);
    this.next = undefined;
    const isWaiting = this.waiting.length > 0;
    if (origin?.type === 'unsure' || (isWaiting && !origin)) return this.wait({ event, line, origin });
    if (isWaiting) this.decide(origin);
    this.readAs(origin, event, line);
  }

  /** Reports a line that can't be read. */
  unreadable(event: WireMessage, message: string): void {
    this.main.begin(event, event.t);
    this.main.note({ level: 'notice', logger: 'session', message });
  }

  /** Nothing else was written until now, in milliseconds since the epoch. */
  quiet(t: number): void {
    this.decide();
    for (const writer of this.writers) writer.pause(t);
  }

  finish(): void {
    this.decide();
    for (const writer of this.writers) {
      writer.settle();
      writer.endOfFile();
    }
  }

  /** True if lines wait until a later one decides whose they are. */
  get holdsLines(): boolean {
    return this.waiting.length > 0;
  }

  get isWaiting(): boolean {
    return this.holdsLines || this.writers.some((writer) => writer.isWaiting);
  }

  /** Asked once per line, as origins depend on those before. */
  private originOf(line: JsonObject): LineOrigin | undefined {
    this.reader ??= recogniseSaved(line)?.form.reader();
    return this.reader?.originOf?.(line);
  }

  private wait(waiting: WaitingLine): void {
    this.waiting.push(waiting);
    this.waitingLength += waiting.event.line.length;
    if (this.waiting.length > maxWaiting || this.waitingLength > maxWaitingLength) this.decide();
  }

  /** Reads the lines that wait. @param by the line that decides */
  private decide(by?: LineOrigin): void {
    const { waiting } = this;
    this.waiting = [];
    this.waitingLength = 0;
    for (const { event, line, origin } of waiting) {
      this.readAs(by?.type === 'copied' && origin ? by : origin, event, line);
    }
  }

  private readAs(origin: LineOrigin | undefined, event: WireMessage, line: JsonObject): void {
    const { main, reader } = this;
    main.begin(event, event.t);
    const retry = besideRetry(line);
    if (retry) return main.willRetry(retry);
    if (!reader) return main.unknown(textOf(line['type']));
    const decided = this.origins.decide(origin);
    if (decided.type === 'copied') return this.readCopied(decided.from, event, line, reader);
    if (decided.type === 'repeated') return main.other('a record that was saved before');
    const branch = decided.branch === 0 ? undefined : this.branch(decided.branch, event, reader);
    branch?.writer.begin(event, event.t);
    (branch?.reader ?? reader).read(line, branch?.writer ?? main);
    this.session ??= main.place.sessionId;
  }

  private readCopied(from: string | undefined, event: WireMessage, line: JsonObject, reader: SavedReader): void {
    const { main } = this;
    const history = (this.history ??= new HistoryWriter(this.context.sink, main));
    history.begin(event, event.t, history.place.sessionId ?? this.session);
    if (this.session !== undefined) main.forked(from);
    reader.read(line, history);
    const { sessionId } = history.place;
    if (this.session !== undefined || sessionId === undefined) return;
    this.session = sessionId;
    main.in({ id: sessionId });
    main.forked(from);
  }

  private branch(number: number, event: WireMessage, reader: SavedReader): Branch {
    const known = this.branches.get(number);
    if (known) return known;
    const writer = new BranchWriter(this.context, number);
    writer.begin(event, event.t);
    if (this.session !== undefined) writer.in({ id: this.session });
    const branch = { writer, reader: reader.forBranch?.() ?? reader };
    this.branches.set(number, branch);
    this.writers.push(writer);
    return branch;
  }

  private isInTurn(branch: number): boolean {
    const writer = branch === 0 ? this.main : this.branches.get(branch)?.writer;
    return writer?.isInTurnOf(branch === 0 ? this.session : writer.place.sessionId) ?? false;
  }
}
