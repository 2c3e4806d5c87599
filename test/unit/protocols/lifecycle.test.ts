import assert from 'node:assert/strict';
import { asksToEnd, isEnd, lifecycleRecord } from '../../../src/protocols/lifecycle';
import type { ConnectionEvent } from '../../../src/wire/wireEvent';
import { AcpWire } from '../../support/acpWire';

function tell(event: ConnectionEvent, askedToEnd = false): string {
  const record = lifecycleRecord({ t: 0, dir: 'ev', ...event }, askedToEnd);
  return `${record?.level} ${record?.message}`;
}

describe('processes that an agent left behind', () => {
  it("are named if they can't be ended", () => {
    const levels = [undefined, [41, 42]].map((remaining) =>
      lifecycleRecord({ t: 0, dir: 'ev', ev: 'left-behind', ...(remaining && { remaining }) }, true),
    );
    assert.deepEqual(
      levels.map((record) => [record?.level, record?.message]),
      [
        ['notice', 'left processes behind, which are ended'],
        ['warning', "left processes behind that can't be ended: 41, 42"],
      ],
    );
  });
});

describe('connection events', () => {
  it('are described with an appropriate level', () => {
    assert.deepEqual(
      [
        tell({ ev: 'connect', url: 'https://example.com/mcp' }),
        tell({ ev: 'http', method: 'POST', status: 500, message: 'Internal\nServer Error' }),
        tell({ ev: 'http', method: 'POST', message: 'connect ECONNREFUSED' }),
        tell({ ev: 'http', method: 'POST', status: 404, message: '' }),
        tell({ ev: 'stream-close' }),
        tell({ ev: 'stream-close', cancels: 1 }),
        tell({ ev: 'reconnect', attempt: 3, ms: 4000 }),
        tell({ ev: 'disconnect' }),
        tell({ ev: 'disconnect', message: 'reset by peer' }),
      ],
      [
        'info connecting to https://example.com/mcp',
        'error HTTP POST was answered with status 500: Internal Server Error',
        'error HTTP POST failed: connect ECONNREFUSED',
        'error HTTP POST was answered with status 404',
        'info the server closed its stream',
        'info closed the stream of an answer to cancel it',
        'notice connecting again in 4.0 s, attempt 3',
        'info disconnected',
        'error the connection is lost: reset by peer',
      ],
    );
  });

  it('are not errors if a server has nothing to GET, or after the user stopped the run', () => {
    assert.match(tell({ ev: 'http', method: 'GET', status: 405, message: '' }), /^debug /);
    assert.match(tell({ ev: 'http', method: 'delete', status: 405, message: '' }), /^debug /);
    assert.match(tell({ ev: 'http', method: 'POST', status: 405, message: '' }), /^notice /);
    assert.match(tell({ ev: 'http', method: 'POST', status: 500, message: '' }, true), /^info /);
    assert.match(tell({ ev: 'disconnect', message: 'reset' }, true), /^info /);
  });

  it('end the connection if nothing can be answered afterwards, and count as requested if no reason is given', () => {
    assert.ok(isEnd({ t: 0, dir: 'ev', ev: 'disconnect', message: 'x' }));
    assert.ok(!isEnd({ t: 0, dir: 'ev', ev: 'stream-close' }));
    assert.ok(asksToEnd({ t: 0, dir: 'ev', ev: 'disconnect' }));
    assert.ok(!asksToEnd({ t: 0, dir: 'ev', ev: 'disconnect', message: 'x' }));
  });

  it('close open requests in ACP too', () => {
    const wire = new AcpWire()
      .ask(1, 'session/prompt', { sessionId: 's', prompt: [] })
      .accept({ t: 2, dir: 'ev', ev: 'disconnect', message: 'reset' });
    assert.deepEqual(wire.log.requests, []);
    assert.deepEqual(wire.lines.slice(1), [
      'error [] the connection is lost: reset',
      'error [s] turn: was never answered (open for 1 ms)',
    ]);
  });
});
