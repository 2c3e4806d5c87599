import type { Line } from '../../text/bytes/line';
import type { LineRecord } from '../../text/bytes/lineRecord';
import { mapArgs } from '../../text/translator';
import { HumanError, messageOf } from '../../text/humanError';
import { jsonValueOf } from '../../wire/jsonValue';
import type { WireEvent, WireMessage, WireProcessEvent, WireStderr } from '../../wire/wireEvent';
import { WireLine } from '../../wire/wireLine';

/** Redacts the secrets in one line of the wire. */
export interface LineRedactor {
  /** Returns the same line if there is nothing to redact; JSON stays JSON. */
  line(text: string, stream?: string): string;
  /** True only if the line certainly has no secret. */
  isClean?(line: Line, log?: LineRecord): boolean;
}

/**
 * Redacts an event once, before anything is kept or shown. Clients get the original message.
 * @param log the parsed line, if it is a log message
 */
export function redactEvent(event: WireStderr, redactor: LineRedactor | undefined): WireStderr;
export function redactEvent(event: WireMessage, redactor: LineRedactor | undefined, log?: LineRecord): WireMessage;
export function redactEvent(event: WireEvent, redactor: LineRedactor | undefined, log?: LineRecord): WireEvent;
export function redactEvent(event: WireEvent, redactor: LineRedactor | undefined, log?: LineRecord): WireEvent {
  if (!redactor) return event;
  if (event.dir === 'ev') return redactProcessEvent(event, redactor);
  if (event.dir !== 'err') return redactMessage(event, redactor, log);
  const line = redactedLine(event.line, redactor, event.dir);
  return line === event.line ? event : { ...event, line };
}

function redactMessage(event: WireMessage, redactor: LineRedactor, log: LineRecord | undefined): WireMessage {
  const { t, dir, source, bytes, kept } = event;
  if (source && redactor.isClean?.(source, log) === true) return event;
  const text = source?.searchText ?? event.line;
  const line = redactedLine(text, redactor, dir);
  if (line === text) return event;
  if (event.msg === undefined) return WireLine.of(t, dir, line, { msg: undefined, bytes, kept });
  const { msg } = jsonValueOf(line);
  // If it no longer parses after redaction, drop msg rather than leak it.
  return msg === undefined ? WireLine.of(t, dir, line, { msg }) : WireLine.of(t, dir, line, { msg, bytes, kept });
}

/** Redacts a text. A user-defined pattern may fail, for example on excessive backtracking. */
export function redactedLine(line: string, redactor: LineRedactor | undefined, stream?: string): string {
  if (!redactor) return line;
  try {
    return redactor.line(line, stream);
  } catch (error) {
    return `${line.length} characters are left out: they could not be searched for secrets (${messageOf(error)})`;
  }
}

/** Redacts an error, whose message may quote a raw response. */
export function redactError<E extends Error>(error: E, redactor: LineRedactor | undefined): E {
  error.message = redactedLine(error.message, redactor);
  if (!(error instanceof HumanError)) return error;
  error.words = mapArgs(error.words, (arg) => redactedLine(arg, redactor));
  return error;
}

function redactProcessEvent(event: WireProcessEvent, redactor: LineRedactor): WireProcessEvent {
  if (event.ev === 'spawn') return { ...event, command: redactWords(event.command, redactor) };
  if (event.ev === 'connect') return { ...event, url: redactor.line(event.url) };
  if (event.ev === 'start-failed' && event.missing) {
    const missing = { ...event.missing, name: redactor.line(event.missing.name) };
    return { ...event, message: redactor.line(event.message), missing };
  }
  return 'message' in event ? { ...event, message: redactor.line(event.message) } : event;
}

/** Redacts the words of a command line together, because an option says what the next word is. */
export function redactWords(words: readonly string[], redactor: LineRedactor | undefined): readonly string[] {
  if (!redactor) return words;
  const redacted = jsonValueOf(redactor.line(JSON.stringify(words))).msg;
  const isWhole = Array.isArray(redacted) && redacted.length === words.length;
  return isWhole ? redacted.map(String) : words.map((word) => redactor.line(word));
}
