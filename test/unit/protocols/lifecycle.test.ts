import assert from 'node:assert/strict';
import { asksToEnd, isEnd, lifecycleRecord } from '../../../src/protocols/lifecycle';
import type { ConnectionEvent, ProcessEvent } from '../../../src/wire/wireEvent';
import { AcpWire } from '../../support/acpWire';

function tell(event: ConnectionEvent | ProcessEvent, askedToEnd = false): string {
  const record = lifecycleRecord({ t: 0, dir: 'ev', ...event }, askedToEnd);
  return `${record?.level} ${record?.message}`;
}

describe('processes that an agent left behind', () => {
  it("are named if they can't be ended", () => {
    assert.equal(tell({ ev: 'left-behind' }, true), 'notice left processes behind, which are ended');
    const left = tell({ ev: 'left-behind', remaining: [41, 42] }, true);
    assert.equal(left, "warning left processes behind that can't be ended: 41, 42");
  });
});

describe('connection events', () => {
  const http = { ev: 'http', method: 'POST', message: '' } as const;
  for (const [event, text] of [
    [{ ev: 'connect', url: 'https://example.com/mcp' }, 'info connecting to https://example.com/mcp'],
    [{ ...http, status: 500, message: 'Bad\nday' }, 'error HTTP POST was answered with status 500: Bad day'],
    [{ ...http, message: 'connect ECONNREFUSED' }, 'error HTTP POST failed: connect ECONNREFUSED'],
    [{ ...http, status: 404 }, 'error HTTP POST was answered with status 404'],
    [{ ev: 'stream-close' }, 'info the server closed its stream'],
    [{ ev: 'stream-close', cancels: 1 }, 'info closed the stream of an answer to cancel it'],
    [{ ev: 'reconnect', attempt: 3, ms: 4000 }, 'notice connecting again in 4.0 s, attempt 3'],
    [{ ev: 'disconnect' }, 'info disconnected'],
    [{ ev: 'disconnect', message: 'reset by peer' }, 'error the connection is lost: reset by peer'],
  ] as const) {
    it(`are described with an appropriate level: ${text}`, () => assert.equal(tell(event), text));
  }

  it('are not errors if a server has nothing to GET, or after the user stopped the run', () => {
    assert.match(tell({ ...http, method: 'GET', status: 405 }), /^debug /);
    assert.match(tell({ ...http, method: 'delete', status: 405 }), /^debug /);
    assert.match(tell({ ...http, status: 405 }), /^notice /);
    assert.match(tell({ ...http, status: 500 }, true), /^info /);
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
    assert.deepEqual(wire.open, []);
    assert.deepEqual(wire.lines.slice(1), [
      'error [] the connection is lost: reset',
      'error [s] turn: was never answered (open for 1 ms)',
    ]);
  });
});
