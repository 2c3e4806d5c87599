import { RecordStore } from '../../src/store/store';
import type { Protocol } from '../../src/wire/protocol';
import { interpretation } from '../../src/runLog/reading/interpretation';
import { RunLog } from '../../src/runLog/runLog';
import type { Span } from '../../src/timeline/span';
import { eventsOf } from '../diagnosis/recordings';

/** The spans of a recorded run. @param path of its journal */
export function recordedSpans(path: string, protocol: Protocol): readonly Span[] {
  return recordedLog(path, protocol).spans();
}

export function recordedLog(path: string, protocol: Protocol): RunLog {
  const events = eventsOf(path, protocol);
  const log = new RunLog(new RecordStore(1e8), events[0]?.t ?? 0);
  const interpreter = interpretation(protocol, log);
  for (const event of events) interpreter.accept(event);
  return log;
}
