import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberOf, objectOf } from '../../src/text/json';
import { readJournalLine } from '../../src/wire/journal/journalReader';

/** Contents of the journals in a folder. */
export interface JournalOnDisk {
  readonly files: number;
  readonly events: number;
  /** Number of numbered messages. */
  readonly messages: number;
  /** True if they are 1, 2, 3 and so on, without a gap. */
  readonly inOrder: boolean;
  /** Like `inOrder`, but the beginning may have been deleted. */
  readonly hasNoGap: boolean;
  /** The number of the last message. */
  readonly last: number;
  /** Time of the last event, in milliseconds since the epoch. */
  readonly lastAt: number;
  /** True if it ends in the middle of a line. */
  readonly endsHalf: boolean;
}

/** Reads the journals of one run from disk, part by part. */
export function journalOnDisk(folder: string): JournalOnDisk {
  const part = (name: string): number => Number(/ (\d+)\.ndjson$/.exec(name)?.[1] ?? 1);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .sort((a, b) => part(a) - part(b));
  let events = 0;
  let messages = 0;
  let hasNoGap = true;
  let first = 0;
  let last = 0;
  let lastAt = 0;
  let endsHalf = false;
  for (const file of files) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    endsHalf = lines.at(-1) !== '';
    for (const line of lines) {
      const event = readJournalLine(line);
      if (!event) continue;
      events++;
      lastAt = event.t;
      const n = 'msg' in event ? messageNumber(event.msg) : undefined;
      if (n === undefined) continue;
      if (messages++ === 0) first = n;
      else if (n !== last + 1) hasNoGap = false;
      last = n;
    }
  }
  return { files: files.length, events, messages, inOrder: hasNoGap && first <= 1, hasNoGap, last, lastAt, endsHalf };
}

function messageNumber(msg: unknown): number | undefined {
  const { logger, data } = objectOf(objectOf(msg)['params']);
  return logger === 'numbered' ? numberOf(objectOf(data)['n']) : undefined;
}
