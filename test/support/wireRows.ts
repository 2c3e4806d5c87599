import { interpretation } from '../../src/runLog/reading/interpretation';
import type { Protocol } from '../../src/wire/protocol';
import { RecordStore } from '../../src/store/store';
import { RunLog } from '../../src/runLog/runLog';
import type { WireIndex } from '../../src/runLog/wire/wireIndex';
import type { WireEntry } from '../../src/runLog/wire/wireRows';
import type { WireEvent } from '../../src/wire/wireEvent';
import { WireLine } from '../../src/wire/wireLine';

export const startedAt = Date.UTC(2026, 10, 22, 12);

/** A line of JSON at the given time after the start, in milliseconds. */
export function line(ms: number, dir: 'a2c' | 'c2a', message: object): WireLine {
  return WireLine.of(startedAt + ms, dir, JSON.stringify({ jsonrpc: '2.0', ...message }));
}

/** What a run's log has after these events. */
export function readLog(events: readonly WireEvent[], protocol: Protocol = 'acp'): RunLog {
  const log = new RunLog(new RecordStore(1e8), startedAt);
  const interpreter = interpretation(protocol, log);
  for (const event of events) interpreter.accept(event);
  return log;
}

export function entriesOf(index: WireIndex): readonly WireEntry[] {
  const entries: WireEntry[] = [];
  index.forEach((_at, row) => {
    const entry = index.get(row);
    if (entry) entries.push(entry);
  });
  return entries;
}
