import { parsedJson, withoutByteOrderMark } from '../../text/jsonText';
import type { WireEvent } from '../../wire/wireEvent';

/** Control characters that no text has. */
const control = /[\0-\x06\x0e-\x1a\x1c-\x1f]/;
/** What to give instead of a file that isn't a run. */
const expected = "Expected a journal, an agent's JSON stream, a saved session or a log.";
/** Text in another encoding has a few of them. */
const maxReplaced = 0.1;

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
    } else if (event.bytes !== undefined) {
      this.shortened++;
    }
  }

  /** A line of a journal that is no event. */
  unknown(): void {
    this.lines++;
    this.unreadable++;
  }

  /**
   * A line of any other file.
   * @param isCut whether it was too long to be read
   * @param isJson whether all lines should be JSON, except for what a program prints in between
   */
  text(text: string, { isCut, isJson }: { readonly isCut: boolean; readonly isJson: boolean }): void {
    this.lines++;
    this.endsOpen = !isJson && text.trim() === '{';
    if (isCut) this.shortened++;
    else if (isBinary(text)) this.binary++;
    else if (isJson ? isBroken(text, /^\s*[[{]/) : isBrokenEntry(text)) this.unreadable++;
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
    this.shortened = this.skippedBytes = this.withoutEnd = this.cutDocuments = 0;
    this.endsOpen = false;
  }

  /** Whether it is the journal of a run, though it may have been a brief one. */
  get isJournal(): boolean {
    return this.events > 0;
  }

  /** Whether it is a JSON document without its end. */
  get isCutDocument(): boolean {
    return this.cutDocuments > 0;
  }

  /** Why the file isn't a run, as the end of a sentence, and what to do; `undefined` if something of one was read. */
  get nothing(): string | undefined {
    const { lines, headers, unreadable, binary, failures } = this;
    const [failure] = failures;
    if (lines === 0 && failure !== undefined) return `cannot be read: ${failure}`;
    if (lines === 0 && headers > 0) {
      return 'has only the header of a run: nothing was recorded after it. Record it again.';
    }
    if (lines === 0) return `is empty. ${expected}`;
    // Random bytes may look like a line of text now and then.
    const isText = binary <= lines / 10 && unreadable + binary < lines;
    return isText || (unreadable + binary < lines && headers > 0)
      ? undefined
      : `is not a run: its lines can't be read. ${expected}`;
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

function isBinary(text: string): boolean {
  if (control.test(text)) return true;
  let replaced = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) replaced++;
  return replaced > text.length * maxReplaced;
}

/** A line of a log that has JSON: cut within its first name, or anywhere later. The next line may follow without a break. */
function isBrokenEntry(text: string): boolean {
  return (/^\s*\{\s*"/.test(text) && !text.trimEnd().endsWith('}')) || isBroken(text, /^\s*\{\s*"[^"\\]{1,100}"\s*:/);
}

/** Whether a text is no JSON, though it begins as such. Other text may be what a program printed in between. */
function isBroken(text: string, beginning: RegExp): boolean {
  return beginning.test(text) && parsedJson(withoutByteOrderMark(text)) === undefined;
}
