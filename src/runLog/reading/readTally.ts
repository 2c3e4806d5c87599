import { readLogFields } from '../../protocols/logFields/logFields';
import { arrayOf, isObject } from '../../text/json';
import { parsedJson, withoutByteOrderMark } from '../../text/jsonText';
import type { WireEvent } from '../../wire/wireEvent';
import { otherFormat } from './otherFormat';

/** Control characters that no text has. */
const control = /[\0-\x06\x0e-\x1a\x1c-\x1f]/;
/** The beginning of an object, or of a list of them, which a program prints in a line. */
const jsonBeginning = /^\s*[[{]+\s*"/;
/** A line of an indented JSON document. */
const documentLine = /^\s*(?:"(?:[^"\\]|\\.)*"\s*(?::|,?\s*$)|[[{\]}]+,?\s*$)/;
/** What to give instead of a file that isn't a run. */
export const expectedFile = "Expected a journal, an agent's JSON stream, a saved session or a log.";
/** Text in another encoding has a few of them. */
const maxReplaced = 0.1;

/** What the lines of a file are that isn't a journal. */
export type LineForm =
  /** Only JSON. */
  | 'saved'
  /** Events of an agent, or spans, with what a program printed in between. */
  | 'stream'
  /** Any JSON, likewise. */
  | 'log'
  /** Text, in which some lines may be JSON. */
  | 'text';

/** Counts what was read of a file, and what was not: whoever concludes something from a run has to know what may be missing. */
export class ReadTally {
  /** Lines, without blank ones and headers. */
  private lines = 0;
  private events = 0;
  private headers = 0;
  private unreadable = 0;
  private binary = 0;
  private shortened = 0;
  private skippedBytes = 0;
  private withoutEnd = 0;
  private cutDocuments = 0;
  /** Whether the last line is the beginning of an object. */
  private endsOpen = false;
  /** Whether something says more than that it is JSON. */
  private says = false;
  /** Lines of an indented document, and how many of its objects and lists are open; fewer than none if its beginning is missing. */
  private documentLines = 0;
  private depth = 0;
  private lacksBeginning = false;
  private format: string | undefined;
  private failedStart: string | undefined;
  private hasSaid = false;
  private readonly failures: string[] = [];

  header(): void {
    this.headers++;
  }

  /** A line of a journal. */
  event(event: WireEvent): void {
    this.lines++;
    this.events++;
    if (event.dir === 'ev') {
      if (event.ev === 'skipped') this.skippedBytes += event.bytes;
      else if (event.ev === 'start-failed') this.failedStart = event.message;
    } else {
      this.hasSaid ||= event.dir === 'a2c';
      if (event.bytes !== undefined) this.shortened++;
    }
  }

  /** A line of a journal that is no event. */
  unknown(): void {
    this.lines++;
    this.unreadable++;
  }

  /** Lines that a saved session's source couldn't read. */
  lost(lines: number): void {
    this.lines += lines;
    this.unreadable += lines;
  }

  /**
   * A line of any other file.
   * @param isCut whether it was too long to be read
   */
  text(text: string, { isCut, form }: { readonly isCut: boolean; readonly form: LineForm }): void {
    if (this.lines++ === 0) this.format ??= otherFormat(text);
    this.endsOpen = form !== 'saved' && text.trim() === '{';
    if (isCut) this.shortened++;
    else if (isBinary(text)) this.binary++;
    else if (isUnreadable(text, form)) this.unreadable++;
    else this.says ||= form === 'saved' || form === 'stream' || saysSomething(text);
    if (form === 'text') this.documentLine(text);
  }

  /** The file was written by a newer version, in a form that isn't known. */
  newerForm(): void {
    this.format = 'was recorded by a newer version of Agent Logs. Update this one.';
  }

  /** The file ended within a JSON document. */
  documentCut(): void {
    this.cutDocuments++;
  }

  /** A run of a journal ended without saying so. */
  endMissing(): void {
    this.withoutEnd++;
  }

  /** The rest can't be read. */
  failed(why: string): void {
    this.failures.push(why);
  }

  /** The file starts over. */
  restart(): void {
    this.lines = this.events = this.headers = this.unreadable = this.binary = 0;
    this.shortened = this.skippedBytes = this.withoutEnd = this.cutDocuments = this.documentLines = this.depth = 0;
    this.endsOpen = this.says = this.lacksBeginning = false;
    this.format = this.failedStart = undefined;
    this.hasSaid = false;
  }

  /** Whether it is the journal of a run, though it may have been a brief one. */
  get isJournal(): boolean {
    return this.events > 0;
  }

  /** Why the agent couldn't be started, if that is all there is. */
  get startFailure(): string | undefined {
    return this.hasSaid ? undefined : this.failedStart;
  }

  /** Whether it is a JSON document without its end. */
  get isCutDocument(): boolean {
    return this.cutDocuments > 0;
  }

  /** Whether it may be a log: not if all that it has is JSON without a message, a level and a time. */
  get isLog(): boolean {
    return this.says || this.isJournal;
  }

  /** Why the file isn't a run, as the end of a sentence, and what to do; `undefined` if something of one was read. */
  get nothing(): string | undefined {
    const { lines, headers, unreadable, binary, failures } = this;
    const [failure] = failures;
    if (this.format !== undefined) return this.format;
    if (lines === 0 && failure !== undefined) return `cannot be read: ${failure}`;
    if (lines === 0 && headers > 0) {
      return 'has only the header of a run: nothing was recorded after it. Record it again.';
    }
    if (lines === 0) return `is empty. ${expectedFile}`;
    if (this.lacksBeginning && this.documentLines > lines / 2) {
      return 'cannot be read: its JSON document has no beginning. Copy or export it again.';
    }
    // Random bytes may look like a line of text now and then.
    const isText = binary <= lines / 10 && unreadable + binary < lines;
    return isText || (unreadable + binary < lines && headers > 0)
      ? undefined
      : `is not a run: its lines can't be read. ${expectedFile}`;
  }

  private documentLine(text: string): void {
    const isRest = isRestOfJson(text);
    if (isRest || documentLine.test(text)) this.documentLines++;
    if (/[[{]\s*$/.test(text)) this.depth++;
    if (isRest || /^\s*[\]}]/.test(text)) this.depth--;
    this.lacksBeginning ||= this.depth < 0;
  }

  /** What is missing, for people: `2 lines cannot be read`. Empty if everything was read. */
  get missing(): readonly string[] {
    const noEnd = 'the run has no end: it is still being written, or its writer was killed';
    return [...this.gaps, ...(this.withoutEnd > 0 ? [noEnd] : [])];
  }

  /** What is missing before the end. */
  get gaps(): readonly string[] {
    const { unreadable, binary, shortened, skippedBytes, cutDocuments, failures } = this;
    const bad = unreadable + binary + (this.endsOpen ? 1 : 0);
    return [
      ...(bad > 0 ? [`${counted(bad, 'line')} cannot be read`] : []),
      ...(cutDocuments > 0 ? ['its JSON document has no end'] : []),
      ...(shortened > 0 ? [`${counted(shortened, 'message')} too long to be kept whole`] : []),
      ...(skippedBytes > 0 ? [`${skippedBytes} bytes were not recorded`] : []),
      ...failures.map((why) => `a part cannot be read: ${why}`),
    ];
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Whether a line isn't text. */
export function isBinary(text: string): boolean {
  if (control.test(text)) return true;
  let replaced = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) replaced++;
  return replaced > text.length * maxReplaced;
}

function isUnreadable(text: string, form: LineForm): boolean {
  switch (form) {
    case 'saved':
      return !isJson(text);
    case 'stream':
    case 'log':
      return (jsonBeginning.test(text) || isRestOfJson(text) || /^\s*[\],]\s*$/.test(text)) && !isJson(text);
    case 'text':
      return isBrokenEntry(text) && !isJson(text);
  }
}

/** A line of a log that has JSON: cut within its first name, or anywhere later. The next line may follow without a break. */
function isBrokenEntry(text: string): boolean {
  if (/^\s*\{\s*"/.test(text) && !text.trimEnd().endsWith('}')) return true;
  return /^\s*\{\s*"[^"\\]{1,100}"\s*:/.test(text);
}

/** The rest of a line of JSON whose beginning is missing: more ends in it than begins. */
function isRestOfJson(text: string): boolean {
  if (!/["\]}\w][\]}]\s*$/.test(text) || !text.includes('":')) return false;
  let open = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) open += bracket === '{' || bracket === '[' ? 1 : -1;
  return open < 0;
}

function isJson(text: string): boolean {
  return parsedJson(withoutByteOrderMark(text)) !== undefined;
}

/** False for JSON that is no entry of a log. */
function saysSomething(text: string): boolean {
  const value = parsedJson(withoutByteOrderMark(text));
  if (value === undefined) return true;
  return (Array.isArray(value) ? arrayOf(value) : [value]).some((one) => {
    if (!isObject(one)) return false;
    const { message, time, level } = readLogFields(one);
    return message !== undefined || time !== undefined || level !== undefined;
  });
}
