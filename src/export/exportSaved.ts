import type { Line } from '../text/bytes/line';
import { SavedClock } from '../agents/reading/saved/savedTime';
import { jsonValueOf } from '../wire/jsonValue';
import { memberMark } from '../agents/reading/saved/savedInterpreter';
import type { JournalHeader } from '../wire/journal/journalLine';
import { journalLine } from '../wire/journal/journalLine';
import { WireLine } from '../wire/wireLine';
import type { FileRunInfo } from '../past/files/fileRunInfo';
import type { LogSink } from '../runLog/reading/logReader';
import { LogReader } from '../runLog/reading/logReader';
import type { LineRedactor } from '../runLog/reading/redactEvent';
import { redactEvent } from '../runLog/reading/redactEvent';
import type { MemberReader } from '../past/saved/followMembers';
import { followMembers } from '../past/saved/followMembers';

export interface SavedExport {
  readonly redactor: LineRedactor | undefined;
  /** Called with the number of bytes read so far, and awaited. */
  readonly onSlice: (bytesRead: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Reads a saved session and its subagents into a sink. */
export function readSaved(info: FileRunInfo, sink: LogSink, options: SavedExport): Promise<void> {
  return read(info, options, () => new LogReader(sink, { protocol: 'saved', redactor: options.redactor }));
}

/** Reads a saved session and its subagents as the lines of one journal, in order of time. A mark before the lines of another member identifies it. */
export async function journalOfSaved(
  info: FileRunInfo,
  write: (line: string) => void,
  options: SavedExport,
): Promise<void> {
  const { redactor } = options;
  const header: JournalHeader = {
    journal: 1,
    agent: info.name,
    protocol: 'saved',
    command: [],
    cwd: info.cwd,
    startedAt: new Date(info.startedAt).toISOString(),
    part: 1,
    ...(redactor && { redacted: true }),
  };
  write(JSON.stringify(header));
  const state = { members: 0, current: 0, lastAt: info.startedAt };
  await read(info, options, () => {
    const member = state.members++;
    return new JournalMember((line, t) => {
      const event = (text: string, bytes?: number): string =>
        journalLine(redactEvent(WireLine.of(t, 'a2c', text, { bytes }), redactor), info.startedAt);
      if (member !== state.current) write(event(JSON.stringify(memberMark(member))));
      state.current = member;
      state.lastAt = Math.max(state.lastAt, t);
      write(event(line.text, line.bytes));
    });
  });
  // Open work may still finish while the agent is running.
  if (info.saved?.isRunning !== true) write(journalLine({ t: state.lastAt, dir: 'ev', ...copied }, info.startedAt));
}

/** The end of a copy; nothing more is written to it. */
const copied = { ev: 'end', reason: 'completed', terminatedBy: 'client', message: 'end of the saved session' } as const;

function read(info: FileRunInfo, options: SavedExport, newReader: () => MemberReader): Promise<void> {
  const { saved, modifiedAt } = info;
  return followMembers({
    members: () => saved?.members() ?? Promise.resolve([]),
    newReader,
    timeOf: () => modifiedAt,
    follows: () => false,
    isRunning: () => saved?.isRunning ?? false,
    onSlice: ({ bytesRead }) => options.onSlice(bytesRead),
    onRestart: () => undefined,
    onProblem: () => undefined, // A subagent's session that is missing now.
    signal: options.signal,
  });
}

/** Writes the lines of one member without interpreting them. */
class JournalMember implements MemberReader {
  // All of this is found when the journal is read.
  readonly recognise = ignore;
  readonly quiet = ignore;
  readonly pause = ignore;
  readonly complete = ignore;
  private readonly clock = new SavedClock([]);

  constructor(private readonly write: (line: Line, t: number) => void) {}

  /** @param t used until a line has a time */
  line(line: Line, t: number): void {
    if (line.isBlank) return;
    const value = line.bytes === undefined ? jsonValueOf(line.text).msg : undefined;
    this.write(line, this.clock.timeOf(value) ?? t);
  }
}

function ignore(): void {
  // nothing to do
}
