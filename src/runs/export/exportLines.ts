import { categoryOf, logLine } from '../../log/logLine';
import type { LogRecord } from '../../log/record';
import { recordJson } from '../../log/recordJson';
import { sessionLabel } from '../../log/sessionLabel';
import type { Termination } from '../../log/termination';
import { describeTermination, wireTermination } from '../../log/termination';
import type { RunLog } from '../runLog';
import type { RunView } from '../runView';

/** How an export of records is written: its first lines, a line for each record, its last lines. */
export interface ExportLines {
  head(run: RunView): string;
  line(record: LogRecord, log: RunLog): string;
  end(run: RunView, termination: Termination | undefined): string;
}

/** For people: the lines of a log file, and how the run ended in words. */
export const textLines: ExportLines = {
  head: ({ name, protocol, startedAt, words, cwd, log, journal }) =>
    [
      `# ${name} (${protocol}), started ${new Date(startedAt).toISOString()}`,
      `# ${words.join(' ')} in ${cwd}`,
      ...(journal || log.store.dropped === 0 ? [] : [`# ${log.store.dropped} older records were no longer in memory`]),
      '',
    ].join('\n'),
  line: (record, log) =>
    `${logLine(
      record,
      categoryOf(record, (id) => sessionLabel(id, log.find(id)?.title)),
    )}\n`,
  end: ({ name }, termination) =>
    `\n${termination ? describeTermination(name, termination) : `${name} has not ended, as far as is known.`}\n`,
};

/** For programs, NDJSON: `{"run": …}`, then the records (see `recordJson`), then `{"termination": …}` in the form of the wire. */
export const jsonLines: ExportLines = {
  head: ({ name, protocol, startedAt, words, cwd, log, journal }) => {
    const missing = journal ? 0 : log.store.dropped;
    const run = { name, protocol, startedAt, command: words, cwd };
    return `${JSON.stringify({ run: { ...run, ...(missing > 0 && { missing }) } })}\n`;
  },
  line: (record) => `${recordJson(record)}\n`,
  end: (_run, termination) => (termination ? `${JSON.stringify({ termination: wireTermination(termination) })}\n` : ''),
};
