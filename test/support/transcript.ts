import { readFileSync } from 'node:fs';
import { readJournalLine } from '../../src/wire/journal/journalReader';
import type { WireEvent } from '../../src/wire/wireEvent';

/** The wire events of a recorded run, without the recorder's own notes. */
export function readTranscript(file: string): WireEvent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => readJournalLine(line) ?? []);
}
