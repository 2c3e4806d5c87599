import { messageOf } from '../text/humanError';
import type { JournalHeader } from '../wire/journal/journalLine';
import type { LogReaderOptions, LogSink } from '../runLog/reading/logReader';
import { LogReader } from '../runLog/reading/logReader';
import type { FileRunInfo } from './files/fileRunInfo';
import type { Following } from './files/followFile';
import { followFile } from './files/followFile';
import type { MemberEvents } from './saved/followMembers';
import { followMembers } from './saved/followMembers';

/**
 * Reads a past run into a sink: a journal with all its parts, a transcript, an agent's stream, a log, or a saved session with its subagents.
 * @returns the header of a journal whose writer exited without recording an end
 * @throws if it can't be read; the sink has what was read so far
 */
export async function readInto(
  run: Pick<FileRunInfo, 'paths' | 'modifiedAt' | 'saved' | 'rows'>,
  sink: LogSink,
  options: LogReaderOptions & Following & MemberEvents,
): Promise<JournalHeader | undefined> {
  const { saved, rows, modifiedAt, paths } = run;
  const { tally } = options;
  const newReader = (): LogReader => new LogReader(sink, saved ? { ...options, protocol: 'saved' } : options);
  const session = saved ?? rows;
  if (session) {
    sink.readFrom?.({ hasArrivalTimes: true });
    await followMembers({
      ...options,
      session,
      modifiedAt,
      newReader,
      onRestart: () => {
        tally?.restart();
        options.onRestart?.();
      },
      onUnreadable: (lines) => tally?.lost(lines),
      onProblem: (error) => {
        tally?.failed(messageOf(error));
        options.onProblem?.(error);
      },
    });
    return undefined;
  }
  const reader = newReader();
  sink.readFrom?.(reader);
  let end: 'ended' | 'abandoned' | undefined;
  try {
    end = await followFile({ ...options, path: paths[0] ?? '', modifiedAt, reader });
  } finally {
    reader.complete();
    if (reader.lacksEnd) tally?.endMissing();
  }
  // An exit may be the last line, without the `end` that follows it only if more is known.
  return end === 'abandoned' && reader.lacksEnd ? reader.header : undefined;
}
