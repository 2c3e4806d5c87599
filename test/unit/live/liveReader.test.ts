import assert from 'node:assert/strict';
import { wholeLine } from '../../../src/wire/lines/wholeLine';
import { RecordStore } from '../../../src/store/store';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { LiveReader } from '../../../src/live/liveReader';
import { RunLog } from '../../../src/runLog/runLog';
import type { JournalWriter } from '../../../src/wire/journal/journalWriter';
import type { WireEvent, WirePiece } from '../../../src/wire/wireEvent';
import { WireLine } from '../../../src/wire/wireLine';
import { column } from '../../support/columns';

/** The bytes of a log message. */
function logOf(message: string): WireLine {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level: 'info', message } }));
  return new WireLine(0, 'a2c', wholeLine(bytes));
}

function textOf(event: WireEvent | WirePiece): string {
  if ('part' in event) return event.part;
  return event.dir === 'ev' ? event.ev : (/"message":"(\w+)"/.exec(event.line)?.[1] ?? event.line);
}

describe('LiveReader', () => {
  let log: RunLog;
  let written: string[];
  let heard: string[];
  let reader: LiveReader;
  beforeEach(() => {
    log = new RunLog(new RecordStore(1e7), 0);
    written = [];
    heard = [];
    const journal = { write: (event: WireEvent | WirePiece) => written.push(textOf(event)) };
    const options = { now: () => 0, redactor: undefined, journal: journal as unknown as JournalWriter };
    reader = new LiveReader(log, interpretation('acp', log), options);
    reader.run.onEvent((event) => heard.push(textOf(event)));
  });

  it('handles log messages together once enough of them wait, or at the end of a slice', () => {
    for (let n = 0; n < 31; n++) reader.accept(logOf(`m${n}`));
    assert.equal(log.lastSeq, 0);
    reader.accept(logOf('m31'));
    assert.equal(log.lastSeq, 32);
    reader.accept(logOf('m32'));
    reader.flush();
    const expected = Array.from({ length: 33 }, (_, n) => `m${n}`);
    assert.deepEqual(column(log.store.query(), 'message'), expected);
    assert.deepEqual(written, heard);
  });

  it('keeps log messages in order with all other events', () => {
    reader.accept(logOf('a'));
    reader.accept(logOf('b'));
    reader.accept({ t: 0, dir: 'err', line: 'c' });
    reader.accept(logOf('d'));
    reader.accept(WireLine.of(0, 'c2a', '{"jsonrpc":"2.0","method":"e"}'));
    reader.accept(logOf('f'));
    reader.acceptPiece('a2c', Buffer.from('g'.repeat(90_000)));
    reader.accept(logOf('h'));
    reader.acceptProcessEvent({ ev: 'stdout-close' });
    const order = written.map((text) => text.slice(0, 1));
    assert.equal(order.join(''), 'abcd{fgghs');
    assert.equal(heard.map((text) => text.slice(0, 1)).join(''), 'abcd{fhs');
  });
});
