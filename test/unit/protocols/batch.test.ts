import type { Protocol } from '../../../src/wire/protocol';
import { protocols } from '../../../src/wire/protocol';
import assert from 'node:assert/strict';
import { RecordStore } from '../../../src/store/store';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { RunLog } from '../../../src/runLog/runLog';
import { column } from '../../support/columns';

describe('batches of messages', () => {
  function read(protocol: Protocol, msg: readonly unknown[], line = JSON.stringify(msg)): RunLog {
    const log = new RunLog(new RecordStore(1e9), 0);
    interpretation(protocol, log).accept({ t: 1, dir: 'a2c', line, msg });
    return log;
  }

  for (const protocol of protocols) {
    it(`use about as much memory as the line, however many messages it has: ${protocol}`, () => {
      const msg = Array.from({ length: 5000 }, (_, n) => n);
      const { store } = read(protocol, msg, JSON.stringify(msg).padEnd(1024 * 1024));
      assert.ok(store.bytes < 4 * 1024 * 1024, `${store.bytes} bytes`);
      const records = store.query();
      assert.ok(records.length >= 1001 && records.length < 1010, `${records.length} records`);
      assert.ok(records.some(({ message }) => message.startsWith('4000 more messages in this batch')));
    });
  }

  it('keep the text and data of each message in its own record', () => {
    const data = [{ n: 1 }, { n: 2 }];
    const messages = data.map((own) => ({ jsonrpc: '2.0', method: 'log', params: { message: 'm', data: own } }));
    const { store } = read('acp', messages);
    const logged = store.query({ kinds: ['log'] });
    assert.deepEqual(column(logged, 'data'), data);
    for (const [n, { seq }] of logged.entries()) assert.equal(store.raw(seq), JSON.stringify(messages[n]));
  });

  it('report a nested list as an invalid message, and an empty batch too', () => {
    const messagesOf = (msg: readonly unknown[]): string[] =>
      column(read('acp', msg).store.query({ kinds: ['activity'] }), 'message');
    assert.deepEqual(messagesOf([[{ jsonrpc: '2.0', id: 1, method: 'x' }]]), [
      'not a JSON-RPC message: [{"jsonrpc":"2.0","id":1,"method":"x"}]',
    ]);
    assert.deepEqual(messagesOf([]), ['not a JSON-RPC message: []']);
  });
});
