import { setTimeout } from 'node:timers/promises';
import type { ChangesForm, Replay } from '../../agents/savedForm';
import type { Line } from '../../text/bytes/line';
import { jsonValueOf } from '../../wire/jsonValue';
import type { LineSource } from './lineSource';
import { NewLines } from './lineSource';

/** How long to wait for the rest of what is written, in milliseconds. */
const settleTime = 50;

/** A file with the changes of a document, converted into lines. Lines that were passed on before it was rewritten don't follow again. */
export class ReplayedLines implements LineSource {
  private readonly lines = new NewLines();
  private replay: Replay;
  private hasChanged = true;
  private lost = 0;
  /** True once the end of the file was reached. */
  private isFollowing = false;

  private constructor(
    private source: LineSource,
    private readonly form: ChangesForm,
    private readonly reopen: () => Promise<LineSource>,
  ) {
    this.replay = form.replay();
  }

  /** @throws if the file can't be opened */
  static async open(form: ChangesForm, open: () => Promise<LineSource>): Promise<ReplayedLines> {
    return new ReplayedLines(await open(), form, open);
  }

  get size(): number {
    return this.source.size;
  }

  get unreadable(): number {
    return this.lost;
  }

  async read(): Promise<readonly Line[] | undefined> {
    for (;;) {
      const read = await this.source.read();
      const isRead = (read ?? []).every((line) => this.apply(line));
      // It was rewritten, and is now longer than before.
      if (!isRead && this.isFollowing) {
        await this.restart();
        continue;
      }
      this.isFollowing ||= !read;
      if (!this.hasChanged) return undefined;
      const lines = this.lines.of([...this.replay.lines(!read)]);
      this.hasChanged = read !== undefined;
      if (lines.length > 0) return lines;
    }
  }

  async wait(signal: AbortSignal): Promise<'unchanged' | 'grown'> {
    const change = await this.source.wait(signal);
    if (change === 'restarted') await this.restart();
    // Several changes are written at once.
    else if (change === 'grown') await setTimeout(settleTime, undefined, { signal }).catch(() => undefined);
    return change === 'unchanged' ? change : 'grown';
  }

  close(): Promise<Line | undefined> {
    return this.source.close();
  }

  private async restart(): Promise<void> {
    await this.source.close();
    this.source = await this.reopen();
    this.replay = this.form.replay();
    this.lost = 0;
    this.hasChanged = true;
    this.isFollowing = false;
  }

  /** Returns false if the line isn't JSON, and won't be applied while the file is followed. */
  private apply({ text, bytes }: Line): boolean {
    if (text.trim() === '') return true;
    const value = bytes === undefined ? jsonValueOf(text).msg : undefined;
    if (value === undefined && bytes === undefined && this.isFollowing) return false;
    if (!this.replay.apply(value, bytes ?? text.length)) this.lost++;
    this.hasChanged = true;
    return true;
  }
}
