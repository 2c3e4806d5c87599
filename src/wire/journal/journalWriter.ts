import { t, WordsError } from '../../text/translator';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ByteChunk } from '../../text/bytes/byteChunk';
import type { Every } from './diskQueue';
import { DiskQueue, everyInterval } from './diskQueue';
import type { JournalHeader } from './journalLine';
import { beforeMessage, isoTime, journalLine } from './journalLine';
import type { OpenJournal } from './journalPart';
import { appendNow, JournalPart, linesIn, endsWithLineNow } from './journalPart';
import { LineBatch } from '../lines/lineBatch';
import { makeFolder, makeFolderNow } from '../../machine/makeFolder';
import type { WireEvent, WirePiece } from '../wireEvent';

/** How long lines wait to be written together, in milliseconds. */
const batchMs = 100;
/** This many bytes are written at once: in a flood the limit below would be reached before that time is over. */
const batchBytes = 512 * 1024;
/** Above this many waiting bytes, producers have to wait for the disk. */
const maxPending = 4 * 1024 * 1024;
/** What may wait for a disk that doesn't respond, in bytes: not every producer can be held back. */
const maxHeld = 64 * 1024 * 1024;

export interface JournalOptions {
  /** The path of a part, by its number from 1. */
  readonly fileOf: (part: number) => string;
  readonly header: Omit<JournalHeader, 'part'>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** In bytes; then the journal goes on in another file. */
  readonly maxFileSize: number;
  /** Called when it begins, and when it goes on in another file. */
  readonly onPart?: () => void;
  /** Called once, when it can't be written: the run goes on without. */
  readonly onProblem: (error: Error) => void;
  /** How its files are opened, and what tells the time; for tests. */
  readonly open?: OpenJournal;
  readonly every?: Every;
}

/** Writes every wire event of a run to disk, in batches and in order. The files are the person's alone (0600 in 0700). */
export class JournalWriter {
  private readonly pending = new LineBatch();
  /** Taken from there, and not yet known to be written. */
  private leaving: readonly Buffer[] = [];
  /** Many events come in one millisecond, and share its text. */
  private time = { t: 0, text: isoTime(0) };
  /** The text before an agent's messages of one millisecond. */
  private before = { t: NaN, text: new ByteChunk(Buffer.alloc(0)) };
  private file: JournalPart | undefined;
  private part = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly disk: DiskQueue;
  private flushes = 0;
  private isOff = false;
  private isStopping = false;
  private lost = 0;
  private closing: Promise<void> | undefined;
  private beats: ReturnType<Every> | undefined;

  constructor(private readonly options: JournalOptions) {
    this.disk = new DiskQueue((error) => this.fail(error), options.every);
  }

  /** The newest of its files, once there is one. */
  get path(): string | undefined {
    return this.part === 0 ? undefined : this.options.fileOf(this.part);
  }

  /** All its files, the oldest first. */
  get paths(): readonly string[] {
    return Array.from({ length: this.part }, (_, index) => this.options.fileOf(index + 1));
  }

  /** Events that could not be written. */
  get missing(): number {
    return this.lost + (this.isOff ? linesIn(this.leaving) : 0);
  }

  /** Whether the readers of the wire should wait for the disk. */
  get isBehind(): boolean {
    return this.pending.bytes > maxPending && !(this.isStopping && this.disk.isStalled);
  }

  /** Whether a call to the file system hangs and is no longer waited for. */
  get isHanging(): boolean {
    return this.disk.isHanging;
  }

  /** The run is being stopped: from now on, a disk that doesn't respond doesn't stop readers. */
  stopWaiting(): void {
    this.isStopping = true;
  }

  /** Makes its file with the header, before there is anything to write. */
  begin(): Promise<void> {
    return this.enqueue(async () => {
      this.file ??= await this.nextFile();
    });
  }

  write(event: WireEvent | WirePiece): void {
    if (this.isOff) {
      this.lost++;
      return;
    }
    if (!this.copied(event)) {
      this.pending.add(`${journalLine(event, this.options.startedAt, this.timeOf(event.t))}\n`);
    }
    this.flushSoon();
  }

  /** Settles when all that was written before is in the hands of the operating system, or can't be. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushes++;
    return this.enqueue(() => this.drain()).finally(() => this.flushes--);
  }

  /** Writes what waits, and closes the file. Settles also if the disk hangs. */
  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  /** Deletes all its files, for good. */
  async delete(): Promise<void> {
    await this.close();
    for (const path of this.paths) await rm(path, { force: true });
    this.part = 0;
  }

  /** The process is about to exit: writes what waits, without the event loop. */
  writeNow(): void {
    clearTimeout(this.timer);
    // A call that doesn't return can't be interrupted.
    if (this.isOff || this.disk.isStalled) return;
    const blocks = [...this.leaving, ...this.pending.take()];
    if (blocks.length === 0) return;
    this.isOff = true;
    this.leaving = [];
    try {
      // The file is left open: it belongs to its handle, and the process ends.
      if (this.file) this.file.appendNow(blocks);
      else this.appendNow(blocks);
    } catch {
      // The process is exiting: there is nowhere to report this.
    }
  }

  /** A log message that still has its bytes is copied. Returns whether it was. */
  private copied(event: WireEvent | WirePiece): boolean {
    if (event.dir !== 'a2c' || !('source' in event) || event.isLog !== true) return false;
    const { t, source } = event;
    if (!source.chunk) return false;
    if (t !== this.before.t) this.before = { t, text: this.beforeMessagesAt(t) };
    this.pending.addObject(this.before.text, source.chunk, source.start, source.end);
    return true;
  }

  private timeOf(t: number): string {
    if (t !== this.time.t) this.time = { t, text: isoTime(t) };
    return this.time.text;
  }

  private beforeMessagesAt(t: number): ByteChunk {
    return new ByteChunk(Buffer.from(beforeMessage({ t, dir: 'a2c' }, this.options.startedAt, this.timeOf(t))));
  }

  private flushSoon(): void {
    this.timer ??= setTimeout(() => void this.flush(), batchMs);
    if (this.pending.bytes > batchBytes && this.flushes === 0) void this.flush();
    if (this.pending.bytes > maxHeld && this.disk.isStalled) this.fail(new WordsError(t("the disk doesn't respond")));
  }

  private appendNow(blocks: readonly Buffer[]): void {
    const file = this.openNow();
    try {
      appendNow(file, blocks);
    } finally {
      closeSync(file);
    }
  }

  /** Before the first batch, and between two parts, there is no file yet. */
  private openNow(): number {
    const path = this.options.fileOf(this.part + 1);
    makeFolderNow(dirname(path));
    const startsLine = endsWithLineNow(path);
    const file = openSync(path, 'a', 0o600);
    appendNow(file, [Buffer.from(`${startsLine ? '' : '\n'}${this.headerOf(this.part + 1)}\n`)]);
    return file;
  }

  private enqueue(job: () => Promise<void>): Promise<void> {
    return this.disk.add(async () => {
      if (!this.isOff) await job().catch((error: unknown) => this.fail(error));
      if (this.isOff) await this.letGo();
    });
  }

  private async finish(): Promise<void> {
    // More may come in the meantime.
    do await this.flush();
    while (this.pending.lines > 0 && !this.isOff);
    this.isOff = true;
    await this.disk.add(() => this.letGo());
  }

  private async drain(): Promise<void> {
    if (this.pending.lines === 0) return;
    const blocks = this.pending.take();
    this.leaving = blocks;
    if (!this.file || this.file.bytes >= this.options.maxFileSize) this.file = await this.nextFile();
    await this.file.append(blocks, (rest) => {
      this.leaving = rest;
      this.disk.progress();
      return !this.isOff;
    });
    if (this.leaving.length === 0) this.pending.release(blocks);
  }

  private async nextFile(): Promise<JournalPart> {
    await this.file?.close();
    this.file = undefined;
    const number = this.part + 1;
    const path = this.options.fileOf(number);
    await makeFolder(dirname(path));
    const file = await JournalPart.open(path, this.headerOf(number), this.options.open);
    this.part = number;
    this.beat();
    this.options.onPart?.();
    return file;
  }

  /** Only its writer touches a journal, so readers see that it is alive although its PID may be another process's by now. */
  private beat(): void {
    const { header, every = everyInterval } = this.options;
    const seconds = (header.tap ?? header.host)?.beat;
    if (seconds === undefined || this.isOff) return;
    this.beats ??= every(seconds * 1000, () => void this.enqueue(async () => this.file?.touch()));
  }

  private headerOf(part: number): string {
    const header: JournalHeader = { ...this.options.header, part };
    return JSON.stringify(header);
  }

  private fail(error: unknown): void {
    if (this.isOff) return;
    this.isOff = true;
    clearTimeout(this.timer);
    this.lost += this.pending.lines;
    this.pending.take();
    this.options.onProblem(error instanceof Error ? error : new Error(String(error)));
  }

  /** Nothing more is written. What hung may have been written after all. */
  private async letGo(): Promise<void> {
    this.beats?.dispose();
    this.lost += linesIn(this.leaving);
    this.leaving = [];
    const { file } = this;
    this.file = undefined;
    await file?.close().catch(() => undefined);
  }
}
