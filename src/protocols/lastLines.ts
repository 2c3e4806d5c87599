import { ownHead } from '../log/ownText';

/** Maximum length of each line, in characters. */
const maxLine = 500;

/** A line and its time, in milliseconds since the epoch. */
interface TimedLine {
  readonly line: string;
  readonly t: number;
}

/** Keeps the newest lines that aren't blank, to explain why a process ended. */
export class LastLines {
  private readonly kept: TimedLine[] = [];

  /** @param max maximum number of lines */
  constructor(private readonly max: number) {}

  get all(): readonly string[] {
    return this.since(0);
  }

  /** The lines since this time, in milliseconds since the epoch. */
  since(time: number): readonly string[] {
    return this.kept.filter(({ t }) => t >= time).map(({ line }) => line);
  }

  keep({ line, t }: TimedLine): void {
    if (line.trim() === '') return;
    this.kept.push({ line: ownHead(line, maxLine), t });
    if (this.kept.length > this.max) this.kept.shift();
  }

  clear(): void {
    this.kept.length = 0;
  }
}
