import type { FileRunOptions } from '../../src/past/files/fileRun';
import { FileRuns } from '../../src/past/files/fileRuns';
import { JournalFolder } from '../../src/wire/journal/journalFolder';

const nowhere = new JournalFolder('/nowhere');

/** Past runs in a folder of journals, or none. */
export function newFileRuns(journals = nowhere, options: Partial<FileRunOptions> = {}, taps = nowhere): FileRuns {
  return new FileRuns(journals, taps, () => ({ level: 'info', maxMemory: 1e7, redaction: undefined, ...options }));
}
