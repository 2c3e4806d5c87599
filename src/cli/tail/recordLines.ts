import { formatEntry, indented, methodOf, categoryOf, localTime } from '../../text/format';
import { deepJson } from '../../text/jsonText';
import type { Level } from '../../text/level';
import type { LogRecord } from '../../text/record';
import { sessionLabel, shortId } from '../../text/sessionLabel';
import type { Termination } from '../../wire/termination';
import { endEntry, wireTermination } from '../../wire/termination';
import { isoTime } from '../../wire/journal/journalLine';
import type { Entry } from '../context';

/** The title of a record's session. */
export type Title = string | undefined;

/** Formats records and events as output. */
export interface LineFormat {
  readonly isJson: boolean;
  record(record: LogRecord, title: Title): Entry;
  /** `undefined` if the records say everything. */
  end(name: string, termination: Termination, at: number): Entry | undefined;
}

/** SGR codes (ECMA-48) of the levels. */
const colours: Readonly<Record<Level, string>> = {
  debug: '2',
  info: '32',
  notice: '36',
  warning: '33',
  error: '31',
  critical: '1;31',
  alert: '1;31',
  emergency: '1;31',
};

/** For people: lines as in VS Code's output channel. */
export class TextFormat implements LineFormat {
  readonly isJson = false;

  constructor(private readonly isColoured: boolean) {}

  record(record: LogRecord, title: Title): Entry {
    return this.line(
      record.receivedAt,
      record.level,
      formatEntry(
        record,
        categoryOf(record, (id) => sessionLabel(id, title)),
      ),
    );
  }

  /** Nothing for a run that ended normally. */
  end(name: string, termination: Termination, at: number): Entry | undefined {
    const text = endEntry(name, termination);
    return text === undefined ? undefined : this.line(at, 'error', indented(text));
  }

  private line(at: number, level: Level, text: string): Entry {
    const [time, name] = [localTime(at), `[${methodOf(level)}]`];
    const lead = this.isColoured
      ? `\u001b[2m${time}\u001b[0m \u001b[${colours[level]}m${name}\u001b[0m `
      : `${time} ${name} `;
    return { lead, text };
  }
}

/** For programs: one JSON object per line. */
export class JsonFormat implements LineFormat {
  readonly isJson = true;

  record(record: LogRecord, title: Title): Entry {
    const { seq, receivedAt, time, level, kind, sessionId, logger, message, data } = record;
    const text = deepJson({
      seq,
      time: isoTime(receivedAt),
      ...(time !== undefined && { agent_time: isoTime(time) }),
      level,
      kind,
      ...(sessionId !== undefined && { session: shortId(sessionId) }),
      ...(title !== undefined && { title }),
      ...(logger !== undefined && { logger }),
      message,
      ...(data !== undefined && { data }),
    });
    return { lead: '', text };
  }

  end(_name: string, termination: Termination, at: number): Entry {
    return { lead: '', text: deepJson({ time: isoTime(at), termination: wireTermination(termination) }) };
  }
}
