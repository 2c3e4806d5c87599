import assert from 'node:assert/strict';
import type { Wire } from '../../../src/runs/agentConnection';
import { PublishedConnection } from '../../../src/runs/publisherConnector';
import { journalLine, readJournalLine } from '../../../src/wire/journalLine';
import type { WireEvent } from '../../../src/wire/wireEvent';

describe('a connection that is fed by another extension', () => {
  it('makes one line of a message over several, and several of other text', async () => {
    const events: WireEvent[] = [];
    const wire: Pick<Wire, 'maxLineBytes' | 'now' | 'onEvent' | 'onSlice' | 'isBehind'> = {
      maxLineBytes: 1e6,
      now: () => 0,
      onEvent: (event) => events.push(event),
      onSlice: () => undefined,
      isBehind: () => false,
    };
    const connection = new PublishedConnection();
    await connection.connector(wire as Wire);
    const message = { jsonrpc: '2.0', method: 'log', params: { level: 'info', message: 'a\nb' } };
    connection.line('a2c', JSON.stringify(message, null, 2));
    connection.line('a2c', `${JSON.stringify(message)}\r\n`);
    connection.line('a2c', 'no\nmessage');
    connection.line('err', 'Error: x\n    at y\n');
    connection.end();
    const lines = events.map((event) => ('line' in event ? event.line : ''));
    const text = JSON.stringify(message);
    assert.deepEqual(lines, [text, text, 'no', 'message', 'Error: x', '    at y']);
    for (const event of events) assert.deepEqual(readJournalLine(journalLine(event, 0)), event);
  });
});
