import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { Line } from '../../text/bytes/line';
import { parsedJson } from '../../text/jsonText';
import { ChainedText } from '../../redact/longText';
import type { Redaction } from '../../redact/redactorFor';
import { redactorFor } from '../../redact/redactorFor';
import type { TextRedactor } from '../../redact/textRedactor';
import type { JsonObject } from '../../text/json';
import { isObject } from '../../text/json';
import { journalLine, readJournalHeader } from '../../wire/journal/journalLine';
import { isJournalPart, JournalReader } from '../../wire/journal/journalReader';
import { LineReader } from '../../wire/lines/lineReader';
import type { WireEvent } from '../../wire/wireEvent';
import { WireLine } from '../../wire/wireLine';
import type { LineRedactor } from '../../runLog/reading/redactEvent';
import { longTextOf, redactEvent, redactedLine, redactWords } from '../../runLog/reading/redactEvent';
import type { RunView } from '../../runLog/runView';
import { Slices } from '../../time/slices';
import { maxLineBytes } from './followFile';

// The only place that opens a run's files to show, copy or export what they say: files may have secrets that the run's records don't have.
// A test lists what else may open a file.

/** A run's files, and the secrets to remove from them. */
export type RunFiles = Pick<RunView, 'journal' | 'redaction'>;

/** A line of a run's file without its secrets. Lines of a journal can still be read as such. */
export type RunLine = {
  readonly path: string;
  /** Where reading began, in bytes, and how many line breaks came since. */
  readonly from: number;
  readonly index: number;
  readonly text: string;
} & (
  | { readonly type: 'event'; readonly event: WireEvent }
  /** A journal's header, a piece of a line that was too long to log, or a line of any other file. */
  | { readonly type: 'header' | 'piece' | 'other' }
);

const chunkBytes = 256 * 1024;
/** After how many lines to look at the clock. */
const linesAtOnce = 16;
/** How far a line may be out of order because the clock was set back, in milliseconds. */
const clockTolerance = 2000;
/** Maximum number of bytes to read from one file for the lines of one time. */
const maxScan = 64 * 1024 * 1024;
const lineFeed = 10;

/**
 * All lines of a run's files, oldest first.
 * @param also secrets to remove in addition, if the settings have changed since the run was read
 */
export async function* linesOf(run: RunFiles, also?: Redaction): AsyncGenerator<RunLine> {
  const lines = new ShownLines(redactorOf(run.redaction, also));
  let last = '';
  for await (const { path, file } of filesOf(run)) {
    last = path;
    yield* lines.of(path, file, 0, Infinity);
  }
  for (const rest of lines.rest()) yield { path: last, from: 0, ...rest };
}

/** The lines around a time; nothing of files whose lines have no times. */
export async function* linesAt(run: RunFiles, at: number): AsyncGenerator<RunLine> {
  const lines = new ShownLines(redactorOf(run.redaction));
  for await (const { path, file } of filesOf(run)) {
    const { size } = await file.stat();
    if ((await timeAfter(file, 0, Math.min(size, chunkBytes))) === undefined) continue;
    const from = await placeOf(file, size, at - clockTolerance);
    for await (const line of lines.of(path, file, from, Math.min(size, from + maxScan))) {
      if (line.type === 'event' && line.event.t > at + clockTolerance) break;
      if (from === 0 || line.index > 0) yield line; // The first may be the rest of a line.
    }
  }
}

/** The content of a run's files as a new journal. */
export async function* contentOf(run: RunFiles, also?: Redaction): AsyncGenerator<string | Buffer> {
  if (redactorOf(run.redaction, also)) {
    for await (const { text } of linesOf(run, also)) yield `${text}\n`;
    return;
  }
  for await (const { file } of filesOf(run)) yield* chunksOf(file, 0, Infinity);
}

/** The number of a line in its file, from 0. */
export async function numberOf({ path, from, index }: RunLine): Promise<number> {
  const file = await open(path, 'r');
  try {
    let breaks = index;
    for await (const chunk of chunksOf(file, 0, from)) {
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) breaks++;
    }
    return breaks;
  } finally {
    await file.close();
  }
}

/** Redacts by several settings; `undefined` if none wants it. */
export function redactorOf(...wanted: readonly (Redaction | undefined)[]): LineRedactor | undefined {
  const redactors = [...new Map(wanted.flatMap((one) => (one ? [[one.patterns, one]] : []))).values()].map((one) =>
    redactorFor(one),
  );
  if (redactors.length < 2) return redactors[0];
  return {
    line: (text, stream) => redactors.reduce((line, redactor) => redactor.line(line, stream), text),
    isClean: (line) => redactors.every((redactor) => redactor.isClean(line)),
    longText: () => new ChainedText(redactors.map((redactor) => redactor.longText())),
  };
}

/** The open files; the oldest parts of a large journal may have been deleted. */
async function* filesOf({ journal }: RunFiles): AsyncGenerator<{ readonly path: string; readonly file: FileHandle }> {
  await journal?.flush();
  for (const path of journal?.paths ?? []) {
    const file = await open(path, 'r').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) continue;
    try {
      yield { path, file };
    } finally {
      await file.close();
    }
  }
}

type Shown = { readonly text: string } & (
  { readonly type: 'event'; readonly event: WireEvent } | { readonly type: 'header' | 'piece' | 'other' }
);

/** A line that was too long for memory, whose pieces come one by one. */
interface LongLine {
  readonly redacted: TextRedactor;
  /** Its last piece. */
  readonly fields: JsonObject;
  readonly index: number;
}

/** Redacts the lines of a run as they were when it was read: one line may say what the next one is, and pieces are one text. */
class ShownLines {
  private readonly journal = new JournalReader();
  private readonly long = new Map<unknown, LongLine>();

  constructor(private readonly redactor: LineRedactor | undefined) {}

  async *of(path: string, file: FileHandle, from: number, to: number): AsyncGenerator<RunLine> {
    let index = 0;
    // Where a piece is the first line that is read, the beginning of a secret in it may be missing.
    let isTorn = from > 0;
    for await (const line of rawLines(file, from, to)) {
      const piece = line.bytes === undefined && isJournalPart(line.text) ? pieceOf(line.text) : undefined;
      if (piece !== undefined) {
        yield { path, from, index, type: 'piece', text: this.piece(piece, isTorn ? '' : piece.part, index) };
      } else {
        const shown = this.shown(line);
        if (shown.type === 'event') {
          isTorn = false;
          for (const rest of this.restOf(shown.event.dir)) yield { path, from, ...rest };
        }
        yield { path, from, index, ...shown };
      }
      index++;
    }
  }

  /** What is left of lines whose end is missing. */
  *rest(): Generator<Omit<RunLine, 'path' | 'from'> & { type: 'piece' }> {
    for (const dir of this.long.keys()) yield* this.restOf(dir);
  }

  private shown(line: Line): Shown {
    const { redactor } = this;
    const event = line.bytes === undefined ? this.journal.read(line) : undefined;
    if (event) {
      const shown = redactEvent(event, redactor);
      const isSame = shown === event && redactedLine(line.text, redactor) === line.text;
      return { type: 'event', event: shown, text: isSame ? line.text : journalLine(shown, startOf(event, line.text)) };
    }
    if (line.bytes === undefined && isJournalPart(line.text)) return { type: 'header', text: this.header(line.text) };
    return { type: 'other', text: redactEvent(new WireLine(0, 'a2c', line), redactor).line };
  }

  private header(text: string): string {
    const { redactor } = this;
    const fields = parsedJson(text);
    if (!redactor || !isObject(fields)) return text;
    const { command } = fields;
    const words = Array.isArray(command) && { command: redactWords(command.map(String), redactor) };
    return redactedLine(JSON.stringify({ ...fields, ...words, redacted: true }), redactor);
  }

  private piece(fields: JsonObject, part: string, index: number): string {
    const { redacted } = this.long.get(fields['dir']) ?? { redacted: longTextOf(this.redactor) };
    this.long.set(fields['dir'], { redacted, fields, index });
    return JSON.stringify({ ...fields, part: redacted.add(part) });
  }

  private *restOf(dir: unknown): Generator<Omit<RunLine, 'path' | 'from'> & { type: 'piece' }> {
    const long = this.long.get(dir);
    this.long.delete(dir);
    const part = long?.redacted.end() ?? '';
    if (long && part !== '') yield { index: long.index, type: 'piece', text: JSON.stringify({ ...long.fields, part }) };
  }
}

/** The fields of a piece; `undefined` for a header. */
function pieceOf(text: string): (JsonObject & { readonly part: string }) | undefined {
  const fields = readJournalHeader(text) ? undefined : parsedJson(text);
  return isObject(fields) && typeof fields['part'] === 'string' ? { ...fields, part: fields['part'] } : undefined;
}

/** The time that `ms` of a line counts from. */
function startOf({ t }: WireEvent, text: string): number {
  return t - Number(/^\{"t":"[^"]{1,40}","ms":(-?\d{1,15})/.exec(text)?.[1] ?? 0);
}

/** In slices, which include what is done with each line: a chunk has a thousand. */
async function* rawLines(file: FileHandle, from: number, to: number): AsyncGenerator<Line> {
  const lines = new LineReader(maxLineBytes);
  const slices = new Slices();
  let count = 0;
  for await (const chunk of chunksOf(file, from, to)) {
    lines.push(chunk);
    await slices.next();
    for (let line = lines.next(); line; line = lines.next()) {
      yield line;
      if (++count % linesAtOnce === 0 && slices.isSpent) await slices.next();
    }
  }
  const last = lines.end();
  if (last) yield last;
}

async function* chunksOf(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const length = Math.min(chunkBytes, to - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** An offset at or before the first line of a time: lines are ordered by time. */
async function placeOf(file: FileHandle, size: number, at: number): Promise<number> {
  let [low, high] = [0, size];
  while (high - low > chunkBytes) {
    const middle = Math.floor((low + high) / 2);
    const time = await timeAfter(file, middle, high);
    if (time !== undefined && time < at) low = middle;
    else high = middle;
  }
  return low;
}

/** The time of the first whole line after an offset that has one. */
async function timeAfter(file: FileHandle, place: number, end: number): Promise<number | undefined> {
  let isFirst = place > 0; // the rest of a line
  for await (const line of rawLines(file, place, end)) {
    const [, text = ''] = (isFirst ? undefined : /^\{"t":"([^"]{1,40})"/.exec(line.text)) ?? [];
    isFirst = false;
    const time = Date.parse(text);
    if (!Number.isNaN(time)) return time;
  }
  return undefined;
}
