import { categoryOf, logLine, recordJson, zonedTime } from '../text/format';
import type { LogRecord } from '../text/record';
import { sessionLabel } from '../text/sessionLabel';
import type { Termination } from '../wire/termination';
import { describeTermination, wireTermination } from '../wire/termination';
import { inLine } from '../text/text';
import type { RunLog } from '../runLog/runLog';
import type { RunView } from '../runLog/runView';

/** How to write an export of records: header lines, a line per record, footer lines. */
export interface ExportLines {
  head(run: RunView): string;
  line(record: LogRecord, log: RunLog): string;
  end(run: RunView, termination: Termination | undefined): string;
}

/** Plain text: log lines, and how the run ended. */
export const textLines: ExportLines = {
  head: ({ name, protocol, startedAt, words, cwd, log, journal }) =>
    [
      inLine(`# ${name} (${protocol}), started ${zonedTime(startedAt)}`),
      inLine(`# ${words.join(' ')} in ${cwd}`),
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

/** NDJSON: `{"run": …}`, then the records (see `recordJson`), then `{"termination": …}` in wire format. */
export const jsonLines: ExportLines = {
  head: ({ name, protocol, startedAt, words, cwd, log, journal }) => {
    const missing = journal ? 0 : log.store.dropped;
    const run = { name, protocol, startedAt, command: words.map(inLine), cwd: inLine(cwd) };
    return `${JSON.stringify({ run: { ...run, ...(missing > 0 && { missing }) } })}\n`;
  },
  line: (record) => `${recordJson(record)}\n`,
  end: (_run, termination) => (termination ? `${JSON.stringify({ termination: wireTermination(termination) })}\n` : ''),
};
