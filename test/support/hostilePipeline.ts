import assert from 'node:assert/strict';
import { Line } from '../../src/text/bytes/line';
import { formatEntry } from '../../src/text/format';
import { globTest, passesSession } from '../../src/query/queryTest';
import { Redactor } from '../../src/redact/redactor';
import { RecordStore } from '../../src/store/store';
import { interpretation } from '../../src/runLog/reading/interpretation';
import { LogReader } from '../../src/runLog/reading/logReader';
import { redactedSink } from '../../src/runLog/reading/forwardingSink';
import { RunReader } from '../../src/runLog/reading/runReader';
import { RunLog } from '../../src/runLog/runLog';
import { RunLogSink } from '../../src/past/files/runLogSink';
import type { WireEvent } from '../../src/wire/wireEvent';
import type { Recording } from './textPlaces';

const redactor = new Redactor();

/** Takes events the whole way: redacts, reads, diagnoses and times them, and asks for what views show. */
export function readWhole(protocol: Recording['protocol'], events: readonly WireEvent[]): RunLog {
  const log = new RunLog(new RecordStore(1e9), 0);
  const sink = new RunLogSink(log, 1);
  if (protocol === 'saved') {
    const reader = new LogReader(sink, { redactor });
    for (const event of events) if (event.dir !== 'ev') reader.line(Line.of(event.line), 1);
    reader.complete();
  } else {
    const reader = new RunReader(sink, interpretation(protocol, redactedSink(sink, redactor)), { redactor });
    for (const event of events) reader.accept(event);
    reader.finish();
    assert.ok(reader.finalTermination);
  }
  ask(log);
  return log;
}

function ask(log: RunLog): void {
  const isLogger = globTest('*a*1*z*?');
  for (const record of log.store.query({ text: 'needle' })) isLogger(record.logger ?? '');
  for (const record of log.store.query()) {
    isLogger(record.logger ?? '');
    formatEntry(record, 'agent');
  }
  for (const { id, title } of log.sessions) {
    passesSession({ id, title }, ['*a*1*z*?']);
    log.turnSummary(id, 1);
  }
  log.spans();
}
