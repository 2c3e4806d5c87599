import type { FileKind, Line } from './channels';
import { channels } from './channels';
import { escapedForms, plain } from './forms';
import type { Corpus } from './ordinary';
import type { Random } from './random';

/** An ordinary line and where it is sent. */
export interface Sent {
  readonly corpus: string;
  readonly text: string;
  readonly file: FileKind;
}

export interface Change {
  readonly corpus: string;
  readonly before: string;
  readonly after: string;
}

const used = channels.filter(({ name }) => ['ACP log', 'ACP tool output', 'stderr', 'MCP log'].includes(name));

const escapes = escapedForms.filter(({ depth }) => depth === 0);

/** Sends each line through one channel. */
export function send(corpora: readonly Corpus[], random: Random): { sent: Sent[]; files: Map<FileKind, Line[]> } {
  const sent: Sent[] = [];
  const files = new Map<FileKind, Line[]>();
  for (const { name: corpus, lines } of corpora) {
    for (const text of lines) {
      const { file, isRaw, lines: linesOf } = random.pick(used);
      // Text that is decoded to look for secrets must not be changed either.
      const form = isRaw !== true && random.next() < 0.25 ? random.pick(escapes) : plain;
      const ofFile = files.get(file) ?? [];
      ofFile.push(...linesOf(form.escape(JSON.stringify(text)), text, sent.length + 1));
      files.set(file, ofFile);
      sent.push({ corpus, text, file });
    }
  }
  return { sent, files };
}

/**
 * Compares what is printed with and without redaction. The records of one line share a time that no other line has.
 * @param sent the lines of one file, in order
 */
export function changes(sent: readonly Sent[], before: readonly string[], after: readonly string[]): readonly Change[] {
  const [was, is] = [byTime(before), byTime(after)];
  const times = new Set([...was.keys(), ...is.keys()]);
  const found: Change[] = [];
  for (const time of times) {
    const [old, now] = [was.get(time) ?? '', is.get(time) ?? ''];
    if (old === now) continue;
    const text = sent[Math.round((Date.parse(time) - startOf(before)) / 1000)];
    found.push({ corpus: text?.corpus ?? 'unknown', before: old, after: now });
  }
  return found;
}

function startOf(lines: readonly string[]): number {
  return Math.min(...lines.slice(0, 10).map(timeOf).map(Date.parse));
}

function byTime(lines: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const line of lines) {
    const { message = '', data } = JSON.parse(line) as { message?: string; data?: unknown };
    const time = timeOf(line);
    texts.set(time, `${texts.get(time) ?? ''}${message}${data === undefined ? '' : JSON.stringify(data)}\n`);
  }
  return texts;
}

function timeOf(line: string): string {
  return /"time":"([^"]+)"/.exec(line)?.[1] ?? '';
}
