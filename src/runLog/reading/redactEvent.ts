import type { Line } from '../../text/bytes/line';
import type { JsonObject } from '../../text/json';
import { isObject } from '../../text/json';
import { deepJson } from '../../text/jsonText';
import { LongText } from '../../redact/longText';
import type { Span } from '../../redact/span';
import type { TextRedactor } from '../../redact/textRedactor';
import type { EndCause, Termination } from '../../wire/termination';
import type { Words } from '../../text/translator';
import { mapArgs, WordsError } from '../../text/translator';
import { HumanError, messageOf } from '../../text/humanError';
import { jsonValueOf } from '../../wire/jsonValue';
import type { WireEvent, WireMessage, WireProcessEvent, WireStderr } from '../../wire/wireEvent';
import type { MissingPart } from '../../text/humanError';
import { WireLine } from '../../wire/wireLine';

/** Redacts the secrets in one line of the wire. */
export interface LineRedactor {
  /** Returns the same line if there is nothing to redact; JSON stays JSON. */
  line(text: string, stream?: string): string;
  /** True only if the line certainly has no secret. */
  isClean?(line: Line): boolean;
  /** Redacts a line that is too long for memory. Without it, `line` gets pieces of it that overlap. */
  longText?(): TextRedactor;
}

/** Redacts an event once, before anything is kept or shown. Clients get the original message. */
export function redactEvent(event: WireStderr, redactor: LineRedactor | undefined): WireStderr;
export function redactEvent(event: WireMessage, redactor: LineRedactor | undefined): WireMessage;
export function redactEvent(event: WireEvent, redactor: LineRedactor | undefined): WireEvent;
export function redactEvent(event: WireEvent, redactor: LineRedactor | undefined): WireEvent {
  if (!redactor) return event;
  if (event.dir === 'ev') return redactProcessEvent(event, redactor);
  if (event.dir !== 'err') return redactMessage(event, redactor);
  const line = redactedLine(event.line, redactor, event.dir);
  return line === event.line ? event : { ...event, line };
}

function redactMessage(event: WireMessage, redactor: LineRedactor): WireMessage {
  const { t, dir, source, bytes, kept } = event;
  if (source && redactor.isClean?.(source) === true) return event;
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

/** Redacts a text that comes in pieces, because it is too long for memory. What can't be searched is left out. */
export function longTextOf(redactor: LineRedactor | undefined): TextRedactor {
  if (!redactor) return { add: (text) => text, end: () => '' };
  return redactor.longText?.() ?? new LongText((piece) => changed(piece, redactor.line(piece)));
}

/** What a redactor has changed, as one span. */
function changed(text: string, redacted: string): readonly Span[] {
  if (text === redacted) return [];
  const most = Math.min(text.length, redacted.length);
  let start = 0;
  while (start < most && text.charCodeAt(start) === redacted.charCodeAt(start)) start++;
  let same = 0;
  while (
    same < most - start &&
    text.charCodeAt(text.length - 1 - same) === redacted.charCodeAt(redacted.length - 1 - same)
  ) {
    same++;
  }
  return [{ start, end: text.length - same, text: redacted.slice(start, redacted.length - same) }];
}

/** The most errors that are redacted as the causes of one another. */
const maxCauses = 8;

/** Redacts an error, whose message may quote a raw response, and what caused it. */
export function redactError<E extends Error>(error: E, redactor: LineRedactor | undefined): E {
  let cause: unknown = error;
  for (let n = 0; n < maxCauses && cause instanceof Error; n++, cause = cause.cause) redactOne(cause, redactor);
  return error;
}

function redactOne(error: Error, redactor: LineRedactor | undefined): void {
  const { message, stack } = error;
  const redacted = redactedLine(message, redactor);
  // Those of an aborted signal can't be changed.
  if (redacted !== message) error.message = redacted;
  // A stack begins with the message.
  if (redacted !== message && stack !== undefined) error.stack = stack.replace(message, () => redacted);
  if (error instanceof WordsError) error.words = redactedWords(error.words, redactor);
  if (error instanceof HumanError && error.missing) error.missing = redactedPart(error.missing, redactor);
  if (typeof error.cause === 'string') error.cause = redactedLine(error.cause, redactor);
}

/** Redacts the arguments of words. The words themselves are ours, unless they are quoted. */
export function redactedWords(words: Words, redactor: LineRedactor | undefined): Words {
  return mapArgs(words, (arg) => redactedLine(arg, redactor));
}

function redactedPart({ type, name }: MissingPart, redactor: LineRedactor | undefined): MissingPart {
  return { type, name: redactedLine(name, redactor) };
}

/** Redacts how a run ended: its words may quote the agent, a library or another extension. The lines of stderr are redacted as they come. */
export function redactTermination(termination: Termination, redactor: LineRedactor | undefined): Termination {
  const { message, cause } = termination;
  return {
    ...termination,
    ...(message && { message: redactedWords(message, redactor) }),
    ...(cause && { cause: redactedCause(cause, redactor) }),
  };
}

function redactedCause({ what, by, advice, short }: EndCause, redactor: LineRedactor | undefined): EndCause {
  return {
    ...(what && { what: redactedWords(what, redactor) }),
    ...(by && { by }),
    ...(advice && { advice: redactedWords(advice, redactor) }),
    ...(short && { short: redactedWords(short, redactor) }),
  };
}

/** Redacts a message that isn't read off the wire, such as the answer to `initialize`; empty if it can't be searched. */
export function redactObject(value: JsonObject, redactor: LineRedactor | undefined): JsonObject {
  if (!redactor) return value;
  const redacted = jsonValueOf(redactedLine(deepJson(value), redactor)).msg;
  return isObject(redacted) ? redacted : {};
}

/** A pattern that fails must not lose the event: without its exit, a run never ends. */
function redactProcessEvent(event: WireProcessEvent, redactor: LineRedactor): WireProcessEvent {
  if (event.ev === 'spawn') {
    const cwd = redactedLine(event.cwd, redactor);
    return { ...event, command: redactWords(event.command, redactor), cwd };
  }
  if (event.ev === 'connect') return { ...event, url: redactedLine(event.url, redactor) };
  if (!('message' in event)) return event;
  const message = redactedLine(event.message, redactor);
  if ('why' in event) return { ...event, message, why: event.why.map((part) => redactedLine(part, redactor)) };
  if (event.ev !== 'start-failed' || !event.missing) return { ...event, message };
  return { ...event, message, missing: redactedPart(event.missing, redactor) };
}

/** Redacts the words of a command line together, because an option says what the next word is. */
export function redactWords(words: readonly string[], redactor: LineRedactor | undefined): readonly string[] {
  if (!redactor) return words;
  const redacted = jsonValueOf(redactedLine(JSON.stringify(words), redactor)).msg;
  const isWhole = Array.isArray(redacted) && redacted.length === words.length;
  return isWhole ? redacted.map(String) : words.map((word) => redactedLine(word, redactor));
}
