import { Emitter } from 'vscode-jsonrpc/node';
import { oneLine } from '../log/text';
import type { Interpreter } from '../protocols/interpreter';
import type { StderrExcerpt } from '../log/termination';
import { StderrExcerpts } from '../protocols/stderr/stderrExcerpts';
import { groupGap } from '../protocols/stderr/stderrGroups';
import type { JournalWriter } from '../wire/journalWriter';
import type { ProcessEvent, WireEvent } from '../wire/wireEvent';
import { messageOf } from './humanError';
import type { RunLog } from './runLog';

/** Takes secrets out of one line of the wire. */
export interface LineRedactor {
  /** The same line where there is nothing to take out; JSON stays JSON. */
  line(text: string): string;
}

/** How long after the last line it is looked whether more of it came, in milliseconds. */
const quietAfter = groupGap + 50;

/** Takes the wire events of a run, has them interpreted, and hands them on to whoever else wants them. */
export class RunReader {
  private readonly eventEmitter = new Emitter<WireEvent>();
  /** Every wire event, as it comes. */
  readonly onEvent = this.eventEmitter.event;
  private readonly stderr = new StderrExcerpts();
  private quietTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: RunLog,
    private readonly interpreter: Interpreter,
    private readonly now: () => number,
    private readonly redactor: LineRedactor | undefined,
    private readonly journal: JournalWriter | undefined,
  ) {}

  /** A line; many of them are told of together, by `flush`. */
  acceptLine(raw: WireEvent): void {
    const event = this.redacted(raw);
    this.journal?.write(event);
    if (event.dir === 'err') this.stderr.add(event.line);
    try {
      this.interpreter.accept(event);
    } catch (error) {
      this.keep(event, error);
    }
    this.eventEmitter.fire(event);
    if (this.interpreter.isWaiting) this.quietTimer ??= setTimeout(() => this.fallQuiet(), quietAfter);
  }

  /** Something that befell the process; told of at once. */
  accept(event: ProcessEvent): void {
    this.acceptLine({ t: this.now(), dir: 'ev', ...event });
    this.flush();
  }

  /** What was written on standard error so far. */
  get stderrExcerpt(): StderrExcerpt | undefined {
    return this.stderr.excerpt;
  }

  flush(): void {
    this.log.flush();
  }

  /** What comes in pieces is shown when no more has come for a moment. */
  private fallQuiet(): void {
    this.quietTimer = undefined;
    this.interpreter.quiet(this.now());
    this.flush();
    // What came meanwhile waits in its turn.
    if (this.interpreter.isWaiting) this.quietTimer = setTimeout(() => this.fallQuiet(), quietAfter);
  }

  /** Without secrets: once, before anything is kept or shown. The client has the message as it came. */
  private redacted(event: WireEvent): WireEvent {
    if (!this.redactor || event.dir === 'ev') return event;
    const line = this.redactor.line(event.line);
    if (line === event.line) return event;
    if (event.dir === 'err' || event.msg === undefined) return { ...event, line };
    try {
      return { ...event, line, msg: JSON.parse(line) as unknown };
    } catch {
      return { t: event.t, dir: event.dir, line }; // rather unread than with its secret
    }
  }

  /** A bug of ours must not end the run: what could not be read is kept as it came. */
  private keep(event: WireEvent, error: unknown): void {
    const raw = 'line' in event ? event.line : undefined;
    const message = `could not be read (${messageOf(error)}): ${oneLine(raw ?? '', 200)}`;
    this.log.record({
      receivedAt: event.t,
      level: 'warning',
      kind: 'activity',
      message,
      ...(raw !== undefined && { raw }),
    });
  }
}
