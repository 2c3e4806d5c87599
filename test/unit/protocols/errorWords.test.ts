import assert from 'node:assert/strict';
import { errorWords } from '../../../src/work/errorWords';

describe('errorWords', () => {
  const told = (message: string, data?: unknown): string => errorWords({ message, data });

  it('uses the data if the message is generic', () => {
    const datas: unknown[] = [
      'boom',
      { details: 'boom' },
      { details: { message: 'boom' } },
      { error: { message: 'boom' } },
      { type: 'error', error: 'boom' },
      { reason: ' boom\n' },
      { details: 'boom\n    at run (file.js:1:2)\n    at main (file.js:3:4)' },
      { details: '{"error":{"message":"boom"}}' },
      [{ message: 'boom' }],
    ];
    for (const data of datas) assert.equal(told('Internal error', data), 'boom', JSON.stringify(data));
    assert.equal(told('Internal server error.', 'boom'), 'boom');
    assert.equal(told('Unknown error', { x: 1 }), '{"x":1}');
  });

  it('uses the message and what the data adds to it', () => {
    assert.equal(told('No such session'), 'No such session');
    assert.equal(told('No such session.', { details: 'it has ended' }), 'No such session: it has ended');
    assert.equal(told('No such session', { details: 'No such session: s1' }), 'No such session: s1');
    assert.equal(told('No such session: s1', { message: 'No such session' }), 'No such session: s1');
    assert.equal(told('No such session', { uri: 'x' }), 'No such session');
    for (const data of [{}, [], '', null, undefined, { details: {} }, { message: 'Internal error' }]) {
      assert.equal(told('Internal error', data), 'Internal error');
    }
  });

  it("includes the provider's error type", () => {
    const error = { type: 'rate_limit_error', message: 'Slow down' };
    assert.equal(told('Internal error', { error }), 'Slow down (rate_limit_error)');
    assert.equal(told('Internal error', { status: 429, message: 'Slow down' }), 'Slow down (status 429)');
    assert.equal(told('Internal error', { statusCode: 429, message: 'It said 429' }), 'It said 429');
  });

  it('names the invalid fields', () => {
    const dump = JSON.stringify([
      { path: ['params', 'protocolVersion'], message: 'Invalid input: expected string, received number' },
      { path: [], message: 'Required' },
    ]);
    assert.equal(told(dump), 'params.protocolVersion: Invalid input: expected string, received number; Required');
    const tree = { _errors: [], cwd: { _errors: ['Required'] }, mcp: { _errors: [], 0: { _errors: ['Odd'] } } };
    assert.equal(told('Invalid params', tree), 'Invalid params: cwd: Required; mcp.0: Odd');
  });

  it('bounds the text, whatever the data is', () => {
    let deep: unknown = 'boom';
    for (let n = 0; n < 100_000; n++) deep = { error: deep };
    assert.ok(told('Internal error', deep).length < 1000);
    assert.ok(told('x'.repeat(1e6), { details: 'y'.repeat(1e6) }).length < 5000);
    assert.ok(told('Internal error', `{${'z'.repeat(1e6)}`).length < 1000);
    assert.ok(told('Internal error', { details: 'a\nb'.repeat(1e5) }).split('\n').length === 1);
    assert.equal(told('[1', [[[[[[[['x']]]]]]]]), '[1');
  });
});
