import { textOf } from '../../text/json';
import { inEnglish } from '../../text/translator';
import { parsedJson } from '../../text/jsonText';
import type { Protocol } from '../../wire/protocol';
import { isProtocol } from '../../wire/protocol';
import type { FileRunInfo } from '../../past/files/fileRunInfo';
import type { RunFiles } from '../../past/files/runLines';
import { linesOf } from '../../past/files/runLines';
import { isEnd } from '../../protocols/lifecycle';
import { otherFormat } from '../../runLog/reading/otherFormat';
import { ReadTally } from '../../runLog/reading/readTally';
import { noMessages, replayProblem } from '../../past/replay/replayProblem';
import type { WireEvent } from '../../wire/wireEvent';
import { UsageError } from '../usageError';

/** What an agent and its client said to each other. */
export interface Recording {
  readonly protocol: Protocol;
  readonly events: readonly WireEvent[];
  /** What of it isn't known, for people. */
  readonly missing: readonly string[];
}

/**
 * Reads the traffic of a run. Its secrets are redacted.
 * @throws UsageError if the run has none
 */
export async function readRecording(info: FileRunInfo, files: RunFiles): Promise<Recording> {
  const { name, protocol, writer, termination } = info;
  const format = otherFormat(await firstLine(files));
  if (format !== undefined) throw new UsageError(`${name} ${format}`);
  const problem = replayProblem({ ...info, isBeingWritten: writer !== undefined && termination === undefined });
  if (problem) throw new UsageError(inEnglish(problem));
  if (!isProtocol(protocol)) throw new UsageError(inEnglish(noMessages(name)));
  const events: WireEvent[] = [];
  const tally = new ReadTally();
  for await (const line of linesOf(files)) {
    if (line.type === 'event') tally.event(line.event);
    else if (line.type === 'header') tally.header();
    else if (line.type === 'other') tally.text(line.text, { isCut: false, form: 'stream' });
    if (line.type === 'event') events.push(line.event);
    else if (line.type === 'other' && protocol === 'stream-json') events.push(streamLine(line.text));
  }
  if (tally.nothing !== undefined) throw new UsageError(`${name} ${tally.nothing}`);
  if (tally.isJournal && !events.some((event) => event.dir === 'ev' && isEnd(event))) tally.endMissing();
  if (!events.some(({ dir }) => dir === 'a2c')) throw new UsageError(inEnglish(noMessages(name)));
  return { protocol, events: firstRun(events), missing: tally.missing };
}

async function firstLine(files: RunFiles): Promise<string> {
  for await (const { text } of linesOf(files)) return text;
  return '';
}

/** A line of a stream without a journal: when it came isn't known, unless it says so. */
function streamLine(line: string): WireEvent {
  const msg = parsedJson(line);
  const at = Date.parse(textOf((msg as { readonly timestamp?: unknown } | null | undefined)?.timestamp) ?? '');
  return { t: Number.isNaN(at) ? 0 : at, dir: 'a2c', line, msg };
}

/** A journal that several runs were appended to has several. */
function firstRun(events: readonly WireEvent[]): readonly WireEvent[] {
  const end = events.findIndex((event) => event.dir === 'ev' && event.ev === 'exit');
  const next = events.findIndex((event, index) => end >= 0 && index > end && event.dir === 'c2a');
  return next < 0 ? events : events.slice(0, next);
}
