import { textOf } from '../../log/json';
import { parsedJson } from '../../log/jsonText';
import type { Protocol } from '../../log/protocol';
import { isProtocol } from '../../log/protocol';
import type { FileRunInfo } from '../../runs/files/fileRunInfo';
import type { RunFiles } from '../../runs/files/runLines';
import { linesOf } from '../../runs/files/runLines';
import type { WireEvent } from '../../wire/wireEvent';
import { UsageError } from '../usageError';

/** What an agent and its client said to each other. */
export interface Recording {
  readonly protocol: Protocol;
  readonly events: readonly WireEvent[];
}

/** More is not kept in memory, in bytes. */
const maxSize = 512 * 1024 * 1024;

/**
 * Reads the traffic of a run. Its secrets are redacted.
 * @throws UsageError if the run has none
 */
export async function readRecording(info: FileRunInfo, files: RunFiles): Promise<Recording> {
  const { name, protocol, size, saved } = info;
  const other = `Name a journal, a transcript or an agent's JSON stream.`;
  if (saved) throw new UsageError(`${name} is a saved session, which doesn't have what its client said. ${other}`);
  if (size > maxSize) throw new UsageError(`${name} has more than ${maxSize / 1024 ** 2} MB. Record a shorter run.`);
  if (!isProtocol(protocol)) throw new UsageError(`${name} has no messages of an agent. ${other}`);
  const events: WireEvent[] = [];
  for await (const line of linesOf(files)) {
    if (line.type === 'event') events.push(line.event);
    else if (line.type === 'other' && protocol === 'stream-json') events.push(streamLine(line.text));
  }
  if (!events.some(({ dir }) => dir === 'a2c')) throw new UsageError(`${name} has no messages of an agent. ${other}`);
  return { protocol, events: firstRun(events) };
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
