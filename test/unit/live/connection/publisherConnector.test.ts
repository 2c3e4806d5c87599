import assert from 'node:assert/strict';
import type { Wire } from '../../../../src/live/connection/agentConnection';
import { PublishedConnection } from '../../../../src/live/connection/publisherConnector';
import { journalLine } from '../../../../src/wire/journal/journalLine';
import { readJournalLine } from '../../../../src/wire/journal/journalReader';
import { plainEvent } from '../../../support/plainEvent';
import type { WireEvent } from '../../../../src/wire/wireEvent';

describe('a connection fed by another extension', () => {
  async function connected(
    limits: Partial<Wire> = {},
  ): Promise<{ readonly connection: PublishedConnection; readonly events: WireEvent[] }> {
    const events: WireEvent[] = [];
    const wire: Partial<Wire> = {
      maxLineBytes: 1e6,
      maxMessageBytes: 1e7,
      now: () => 0,
      onEvent: (event) => events.push(event),
      onSlice: () => undefined,
      isBehind: () => false,
      ...limits,
    };
    const connection = new PublishedConnection();
    await connection.connector(wire as Wire);
    return { connection, events };
  }

  it('joins a multi-line message into one line, and splits other text into lines', async () => {
    const { connection, events } = await connected();
    const message = { jsonrpc: '2.0', method: 'log', params: { level: 'info', message: 'a\nb' } };
    connection.line('a2c', JSON.stringify(message, null, 2));
    connection.line('a2c', `${JSON.stringify(message)}\r\n`);
    connection.line('a2c', 'no\nmessage');
    connection.line('err', 'Error: x\n    at y\n');
    connection.end();
    const lines = events.map((event) => ('line' in event ? event.line : ''));
    const text = JSON.stringify(message);
    assert.deepEqual(lines, [text, text, 'no', 'message', 'Error: x', '    at y']);
    for (const event of events) {
      assert.deepEqual(plainEvent(readJournalLine(journalLine(event, 0))), plainEvent(event));
    }
  });

  it('accepts messages of any depth and length', async () => {
    const { connection, events } = await connected({ maxLineBytes: 100_000 });
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    connection.line('a2c', `{"method":"log",\n"params":${deep}}`);
    connection.line('a2c', `{"result":"${'x'.repeat(200_000)}","id":1}`);
    connection.line('err', `{"result":"${'x'.repeat(200_000)}","id":1}`);
    const [first, answer, error] = events;
    assert.ok(first?.dir === 'a2c' && first.line === `{"method":"log","params":${deep}}`);
    assert.ok(answer?.dir === 'a2c' && answer.bytes === 200_020);
    assert.deepEqual((answer.msg as { id: unknown }).id, 1);
    assert.deepEqual(plainEvent(readJournalLine(journalLine(answer, 0))), plainEvent(answer));
    assert.ok(error?.dir === 'err' && error.bytes === 200_020 && error.line.length === 4096);
    connection.end();
  });
});
