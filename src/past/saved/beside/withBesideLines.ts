import { deepJson } from '../../../text/jsonText';
import { Line } from '../../../text/bytes/line';
import type { BesideLine } from '../../../agents/reading/saved/besideLines';
import { SavedClock } from '../../../agents/reading/saved/savedTime';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { LineSource } from '../lineSource';
import { SeenTexts } from '../seenTexts';

/** Merges the lines from a log beside a session into its own, by time. */
export class WithBesideLines implements LineSource {
  private readonly waiting: BesideLine[] = [];
  private readonly seen = new SeenTexts();
  private clock: SavedClock | undefined;
  private isLoaded = false;

  /** @param beside returns all of them, oldest first; called again when the session grows */
  constructor(
    private readonly source: LineSource,
    private readonly beside: () => Promise<readonly BesideLine[]>,
  ) {}

  get size(): number {
    return this.source.size;
  }

  get modifiedAt(): number | undefined {
    return this.source.modifiedAt;
  }

  get unreadable(): number | undefined {
    return this.source.unreadable;
  }

  async read(): Promise<readonly Line[] | undefined> {
    if (!this.isLoaded) await this.load();
    const lines = await this.source.read();
    if (lines) return this.waiting.length === 0 && this.clock ? lines : this.merged(lines);
    const rest = this.waiting.splice(0);
    return rest.length === 0 ? undefined : rest.map(lineOf);
  }

  async wait(signal: AbortSignal): Promise<'unchanged' | 'grown' | 'restarted'> {
    const change = await this.source.wait(signal);
    if (change !== 'unchanged') this.isLoaded = false;
    return change;
  }

  close(): Promise<Line | undefined> {
    return this.source.close();
  }

  private async load(): Promise<void> {
    this.isLoaded = true;
    for (const line of await this.beside()) {
      if (this.seen.isNew(deepJson(line))) this.waiting.push(line);
    }
  }

  private merged(lines: readonly Line[]): readonly Line[] {
    const values = lines.map(({ text, bytes }) => (bytes === undefined ? jsonValueOf(text).msg : undefined));
    this.clock ??= new SavedClock(values);
    const { clock, waiting } = this;
    return lines.flatMap((line, index) => {
      const t = clock.timeOf(values[index]) ?? 0;
      const before = waiting.findIndex(({ timestamp }) => Date.parse(timestamp) > t);
      return [...waiting.splice(0, before < 0 ? waiting.length : before).map(lineOf), line];
    });
  }
}

function lineOf(line: BesideLine): Line {
  return Line.of(deepJson(line));
}
