import { ownEnds, ownHead } from '../../text/ownText';
import type { SaidLine, StderrEntry } from '../../work/facts';
import { StderrEntries } from './stderrEntries';

/** Maximum number of lines, of all entries together. */
const maxLines = 60;
/** Maximum length of what is kept of a line, and of the raw text of an entry, in characters. */
const maxText = 500;
const maxRaw = 4096;

type LastEntry = Pick<StderrEntry, 't' | 'raw' | 'said'>;

/** Keeps the newest entries that a process has printed, to explain why it ended. */
export class LastEntries {
  private kept: LastEntry[] = [];
  /** Number of lines in all of them. */
  private lines = 0;
  private readonly entries = new StderrEntries((entry) => this.keep(entry));

  /** Reads a line of an output that isn't read as entries already. */
  add({ t, line }: { readonly t: number; readonly line: string }): void {
    this.entries.add({ t, dir: 'err', line });
  }

  keep({ t, raw, said }: StderrEntry): void {
    this.kept.push({ t, raw: ownEnds(raw, maxRaw), said: said.slice(-maxLines).map(bounded) });
    this.lines += Math.min(said.length, maxLines);
    while (this.lines > maxLines) this.lines -= this.kept.shift()?.said.length ?? this.lines;
  }

  clear(): void {
    this.entries.complete();
    this.kept = [];
    this.lines = 0;
  }

  /** What the entries since this time say, in milliseconds since the epoch. */
  said(since = -Infinity): readonly SaidLine[] {
    this.entries.complete();
    return this.kept.filter(({ t }) => t >= since).flatMap(({ said }) => said);
  }

  /** The text of the entries, bounded. */
  get text(): string {
    this.entries.complete();
    return this.kept.map(({ raw }) => raw).join('\n');
  }

  /** Whether the text of any entry matches, whatever part of it. */
  mentions(pattern: RegExp): boolean {
    this.entries.complete();
    return this.kept.some(({ raw }) => pattern.test(raw));
  }
}

function bounded(full: SaidLine): SaidLine {
  if (full.data === undefined && full.text.length <= maxText) return full;
  const { data: _, ...line } = full;
  return { ...line, text: ownHead(line.text, maxText), message: ownHead(line.message, maxText) };
}
