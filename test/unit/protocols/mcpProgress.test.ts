import assert from 'node:assert/strict';
import { column } from '../../support/columns';
import { McpWire as Wire } from '../../support/mcpWire';

const cancelled = (requestId: unknown, reason?: string): object => {
  return { method: 'notifications/cancelled', params: { requestId, reason } };
};

describe('MCP interpreter: progress', () => {
  it('belongs to the open request with its token, number or string', () => {
    const wire = new Wire().call(1, 'a', 7).call(2, 'b', 'seven').call(3, 'c');
    wire.progress({ progressToken: '7', progress: 1, total: 4 });
    wire.progress({ progressToken: 'seven', progress: 0.5, message: 'half\nway' });
    assert.deepEqual(wire.progresses, [{ progress: 1, total: 4 }, { progress: 0.5, message: 'half way' }, undefined]);
    wire.answer(1);
    assert.deepEqual(wire.progresses, [{ progress: 0.5, message: 'half way' }, undefined]);
  });

  it('works in both directions', () => {
    const wire = new Wire()
      .call(1, 'a', 't')
      .send('a2c', { id: 1, method: 'sampling/createMessage', params: { _meta: { progressToken: 't' } } });
    wire.progress({ progressToken: 't', progress: 3 }, 'c2a');
    assert.deepEqual(wire.progresses, [undefined, { progress: 3 }]);
  });

  it('finds its request by long IDs and tokens, and keeps little of them', () => {
    const [id, token] = ['i'.repeat(100_000), 't'.repeat(100_000)];
    const wire = new Wire().call(id, 'a', token).progress({ progressToken: token, progress: 1 });
    assert.deepEqual(wire.progresses, [{ progress: 1 }]);
    const [request] = wire.log.requests;
    assert.ok(String(request?.id).length < 300 && String(request?.progressToken).length < 300);
    assert.deepEqual(wire.answer(id).progresses, []);
  });

  it('accepts odd values, and reports each kind once', () => {
    const wire = new Wire().call(1, 'a', 't');
    for (let i = 0; i < 3; i++) {
      for (const progress of [5, 2, 'much']) wire.progress({ progressToken: 't', progress });
      for (const progressToken of [`unknown ${i}`, undefined, {}]) wire.progress({ progressToken, progress: 1 });
    }
    assert.deepEqual(wire.progresses, [{ progress: 2 }]);
    const told = wire.lines
      .slice(1)
      .map((line) => /^debug \[\] notifications\/progress: progress (.*?)(, told|$)/.exec(line)?.[1]);
    assert.deepEqual(told, ['that went back from 5', 'without a number', 'of no open request', 'without a token']);
  });

  it("doesn't flood the log, whatever its messages", () => {
    const wire = new Wire().call(1, 'a', 't');
    for (let i = 0; i < 5000; i++) wire.progress({ progressToken: 't', progress: i, message: `file ${i}` });
    assert.deepEqual(wire.progresses, [{ progress: 4999, message: 'file 4999' }]);
    const shown = [0, 1000, 2000, 3000, 4000].map((i) => `debug [] tool: a: progress ${i}: file ${i}`);
    assert.deepEqual(wire.lines.slice(1), shown);
  });

  it("doesn't repeat a message, except for the next request", () => {
    const wire = new Wire().call(1, 'a', 't');
    wire.progress({ progressToken: 't', progress: 1, message: 'm' }).wait(5000);
    wire.progress({ progressToken: 't', progress: 2, message: 'm' }).answer(1);
    wire.call(1, 'a', 't').progress({ progressToken: 't', progress: 1, message: 'm' });
    assert.equal(wire.lines.filter((line) => line.endsWith(': m')).length, 2);
  });

  it('may arrive late, which is reported once per request', () => {
    const wire = new Wire().call(1, 'a', 't').answer(1).call(2, 'b', 'u').send('c2a', cancelled(2));
    for (const progressToken of ['t', 'u', 't', 'u']) wire.progress({ progressToken, progress: 9 });
    assert.deepEqual(wire.lines.slice(-2), [
      'debug [] tool: a: its progress went on after it was over (answered)',
      'debug [] tool: b: its progress went on after it was over (cancelled)',
    ]);
    assert.deepEqual(wire.log.requests, []);
  });

  it('belongs to the newer request if a token is reused', () => {
    const wire = new Wire().call(1, 'a', 't').call(2, 'b', 't').progress({ progressToken: 't', progress: 1 });
    assert.deepEqual(wire.progresses, [undefined, { progress: 1 }]);
    wire.answer(1).progress({ progressToken: 't', progress: 2 });
    assert.deepEqual(wire.progresses, [{ progress: 2 }]);
  });
});

describe('MCP interpreter: cancellation', () => {
  it('closes requests in either direction, the sender’s own first', () => {
    const wire = new Wire()
      .call(1, 'build')
      .send('a2c', { id: 1, method: 'roots/list' })
      .send('a2c', cancelled(1, 'changed my mind'));
    assert.deepEqual(column(wire.log.requests, 'direction'), ['out']);
    wire.send('a2c', cancelled(1, 'overloaded'));
    assert.deepEqual(wire.open, []);
    assert.deepEqual(wire.lines.slice(-2), [
      'info [] roots/list: cancelled by the server after 1 ms: changed my mind',
      'info [] tool: build: cancelled by the server after 3 ms: overloaded',
    ]);
    const other = new Wire().send('a2c', { id: 5, method: 'roots/list' }).send('c2a', cancelled(5));
    assert.deepEqual(other.log.requests, []);
  });

  it('frees the ID for another request', () => {
    const wire = new Wire().call(1, 'a').send('c2a', cancelled(1)).call(1, 'b').answer(1);
    assert.equal(wire.lines.at(-1), 'info [] tool: b: done in 1 ms');
  });
});

describe('MCP interpreter: IDs', () => {
  it('accepts a response whose ID has the other type, and reports it once', () => {
    const wire = new Wire().call(1, 'a').answer('1');
    wire.call('2', 'b').answer(2);
    assert.deepEqual(wire.log.requests, []);
    assert.equal(wire.lines.filter((line) => line.includes('another type')).length, 1);
  });

  it('prefers the ID of the same type', () => {
    const wire = new Wire().call(1, 'a').call('1', 'b').answer('1');
    assert.deepEqual(wire.open, [1]);
  });
});
