import { readFileSync } from 'node:fs';
import { readJournalLine } from '../../src/wire/journal/journalReader';
import type { WireEvent } from '../../src/wire/wireEvent';

/** The wire events of a recorded run; the recorder's own notes are passed over. */
export function readTranscript(file: string): WireEvent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => readJournalLine(line) ?? []);
}
