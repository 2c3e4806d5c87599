import type { Line } from '../text/bytes/line';
import { SavedClock } from '../agents/reading/saved/savedTime';
import { jsonValueOf } from '../wire/jsonValue';
import { memberMark } from '../agents/reading/saved/savedInterpreter';
import type { JournalHeader } from '../wire/journal/journalLine';
import { journalLine } from '../wire/journal/journalLine';
import { WireLine } from '../wire/wireLine';
import type { SavedRunInfo } from '../past/files/fileRunInfo';
import type { Following } from '../past/files/followFile';
import type { LineRedactor } from '../runLog/reading/redactEvent';
import { redactEvent } from '../runLog/reading/redactEvent';
import type { MemberReader } from '../past/saved/followMembers';
import { followMembers } from '../past/saved/followMembers';

/** Reads a saved session and its subagents as the lines of one journal, in order of time. A mark before the lines of another member identifies it. */
export async function journalOfSaved(
  info: SavedRunInfo,
  write: (line: string) => void,
  options: Following & { readonly redactor: LineRedactor | undefined },
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
  const newReader = (): JournalMember => {
    const member = state.members++;
    return new JournalMember((line, t) => {
      const event = (text: string, bytes?: number): string =>
        journalLine(redactEvent(WireLine.of(t, 'a2c', text, { bytes }), redactor), info.startedAt);
      if (member !== state.current) write(event(JSON.stringify(memberMark(member))));
      state.current = member;
      state.lastAt = Math.max(state.lastAt, t);
      write(event(line.text, line.bytes));
    });
  };
  await followMembers({ ...options, session: info.saved, modifiedAt: info.modifiedAt, newReader });
  // Open work may still finish while the agent is running.
  if (!info.saved.isRunning) write(journalLine({ t: state.lastAt, dir: 'ev', ...copied }, info.startedAt));
}

/** The end of a copy; nothing more is written to it. */
const copied = { ev: 'end', reason: 'completed', terminatedBy: 'client', message: 'end of the saved session' } as const;

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
