import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Call, ServerCall } from '../../../../src/timeline/joins/call';
import { CallJoiner } from '../../../../src/timeline/joins/callJoiner';
import { holds } from '../../../support/property';

/** Seconds, for readable times. */
const s = 1000;

function call(id: string, from: number, to: number | undefined, more: Partial<Call> = {}): Call {
  const about = { names: ['mcp__files__read'], input: 'a', marks: [], trace: undefined };
  return { id, ...about, startedAt: from, endedAt: to, outcome: to === undefined ? undefined : 'ok', ...more };
}

function request(id: string, from: number, to: number | undefined, more: Partial<ServerCall> = {}): ServerCall {
  return { ...call(id, from, to, { names: ['read'] }), run: 'run', server: 'files', ...more };
}

function joined(calls: readonly Call[], requests: readonly ServerCall[]): readonly string[] {
  const joiner = new CallJoiner();
  for (const one of calls) joiner.addCall(one);
  for (const one of requests) joiner.addRequest(one);
  return linesOf(joiner);
}

function linesOf({ joins }: CallJoiner): readonly string[] {
  return joins.map((join) => `${join.call} ${join.request} ${join.by}`).sort();
}

describe('CallJoiner', () => {
  it('infers the request of a call from its name, arguments and time', () => {
    assert.deepEqual(joined([call('a', 0, 9 * s)], [request('1', 1 * s, 8 * s)]), ['a 1 inferred']);
  });

  it('joins neither other arguments, nor other tools, nor other servers, nor other times', () => {
    const calls = [call('a', 0, 9 * s)];
    assert.deepEqual(joined(calls, [request('1', 1 * s, 8 * s, { input: 'b' })]), []);
    assert.deepEqual(joined(calls, [request('1', 1 * s, 8 * s, { names: ['write'] })]), []);
    assert.deepEqual(joined(calls, [request('1', 1 * s, 8 * s, { server: 'other' })]), []);
    assert.deepEqual(joined(calls, [request('1', 20 * s, 28 * s)]), []);
  });

  it('takes missing arguments for none', () => {
    const none = { input: undefined };
    assert.deepEqual(joined([call('a', 0, 9 * s, none)], [request('1', 1, 2, none)]), ['a 1 inferred']);
  });

  it('names none of two identical calls in parallel', () => {
    const calls = [call('a', 0, 9 * s), call('b', 0, 9 * s)];
    assert.deepEqual(joined(calls, [request('1', 1 * s, 7 * s), request('2', 1 * s, 8 * s)]), []);
  });

  it('tells identical calls apart that only overlap', () => {
    const calls = [call('a', 0, 5 * s), call('b', 2 * s, 9 * s)];
    const requests = [request('1', 1 * s, 4 * s), request('2', 3 * s, 8 * s)];
    assert.deepEqual(joined(calls, requests), ['a 1 inferred', 'b 2 inferred']);
    // Both fit the second call, but the first one needs its own.
    const late = [request('1', 1 * s, 4 * s), request('2', 3 * s, 4 * s)];
    assert.deepEqual(joined(calls, late), ['a 1 inferred', 'b 2 inferred']);
  });

  it('joins identical calls one after the other', () => {
    const calls = [call('a', 0, 100), call('b', 110, 200), call('c', 210, 300)];
    const requests = [request('1', 10, 90), request('2', 120, 190), request('3', 220, 290)];
    assert.deepEqual(joined(calls, requests), ['a 1 inferred', 'b 2 inferred', 'c 3 inferred']);
  });

  it('joins all requests of a call that was retried', () => {
    const failed = request('1', 1 * s, 3 * s, { outcome: 'error' });
    const retried = [failed, request('2', 4 * s, 8 * s)];
    assert.deepEqual(joined([call('a', 0, 9 * s)], retried), ['a 1 inferred', 'a 2 inferred']);
    // Without a reason to retry, one is another client's.
    assert.deepEqual(joined([call('a', 0, 9 * s)], [request('1', 1 * s, 3 * s), request('2', 4 * s, 8 * s)]), []);
  });

  it('joins a call that timed out with the request that went on', () => {
    const given = call('a', 0, 5 * s, { outcome: 'error' });
    assert.deepEqual(joined([given], [request('1', 1 * s, 60 * s)]), ['a 1 inferred']);
  });

  it('leaves the calls of another client alone', () => {
    const calls = [call('a', 0, 9 * s), call('b', 100 * s, 101 * s, { input: 'x' })];
    const other = { run: 'other' };
    const requests = [
      request('1', 1 * s, 8 * s, other),
      request('2', 20 * s, 21 * s, { ...other, input: 'b' }),
      request('3', 30 * s, 31 * s, { ...other, input: 'c' }),
    ];
    assert.deepEqual(joined(calls, requests), []);
    // At the same time, either could be the agent's.
    const either = [request('1', 1 * s, 8 * s, other), request('2', 1 * s, 8 * s)];
    assert.deepEqual(joined([call('a', 0, 9 * s)], either), []);
  });

  it('allows for clocks that differ a little', () => {
    const calls = [call('a', 0, 100), call('b', 150, 250), call('c', 300, 400)];
    const skewed = (by: number): ServerCall[] => [
      request('1', 10 + by, 90 + by),
      request('2', 160 + by, 240 + by),
      request('3', 310 + by, 390 + by),
    ];
    const all = ['a 1 inferred', 'b 2 inferred', 'c 3 inferred'];
    for (const by of [0, 150, -150, 700, -700]) assert.deepEqual(joined(calls, skewed(by)), all, String(by));
    for (const by of [60 * s, -60 * s]) assert.deepEqual(joined(calls, skewed(by)), [], String(by));
  });

  it('is sure if both have a mark', () => {
    const marks = ['trace 1-2'];
    const calls = [call('a', 0, 9 * s, { marks }), call('b', 0, 9 * s)];
    const requests = [request('1', 1 * s, 8 * s), request('2', 1 * s, 8 * s, { marks, input: 'changed', server: '?' })];
    assert.deepEqual(joined(calls, requests), ['a 2 mark']);
    // A mark of the turn is on all its calls.
    assert.deepEqual(joined([...calls, call('c', 0, 9, { marks })], [request('2', 1, 2, { marks, input: 'b' })]), []);
  });

  it('uses the trace that several calls share', () => {
    const calls = [call('a', 0, 9 * s, { trace: 't' })];
    assert.deepEqual(joined(calls, [request('1', 1 * s, 8 * s, { trace: 't' })]), ['a 1 trace']);
    assert.deepEqual(joined(calls, [request('1', 1 * s, 8 * s, { trace: 'u' })]), []);
  });

  it('names none if two servers could have got a call', () => {
    const calls = [call('a', 0, 9 * s, { names: ['read'] })];
    const both = [request('1', 1 * s, 8 * s), request('1', 1 * s, 8 * s, { run: 'b', server: 'b' })];
    assert.deepEqual(joined(calls, both), []);
  });

  it('joins the calls of a run that is read late, and forgets one that is closed', () => {
    const joiner = new CallJoiner();
    joiner.addCall(call('a', 0, undefined));
    assert.deepEqual(linesOf(joiner), []);
    joiner.addCall(call('a', 0, 9 * s));
    joiner.addRequest(request('1', 1 * s, undefined));
    assert.deepEqual(linesOf(joiner), ['a 1 inferred']);
    joiner.addRequest(request('1', 1 * s, 8 * s));
    assert.deepEqual(linesOf(joiner), ['a 1 inferred']);
    joiner.removeRun('run');
    assert.deepEqual(linesOf(joiner), []);
  });

  it('has at most 10,000 calls, and forgets what was joined with the oldest', () => {
    const joiner = new CallJoiner();
    for (let i = 0; i < 10_500; i++) {
      const at = i * 10 * s;
      joiner.addCall(call(`c${i}`, at, at + 100, { input: `in ${i}` }));
      joiner.addRequest(request(`r${i}`, at + 10, at + 90, { input: `in ${i}` }));
    }
    assert.equal(joiner.joins.length, 10_000);
  });

  const time = fc.record({
    at: fc.integer({ min: 0, max: 20 }),
    took: fc.integer({ min: 1, max: 6 }),
    input: fc.constantFrom('x', 'y', 'z'),
    isAsked: fc.boolean(),
  });
  holds(
    'finds the same in whatever order calls come, and never two calls for a request',
    200,
    fc.property(fc.array(time, { maxLength: 12 }), fc.nat(), (times, turn) => {
      const calls = times.map(({ at, took, input }, i) => call(`c${i}`, at * 400, (at + took) * 400, { input }));
      const requests = times.flatMap(({ at, input, isAsked }, i) =>
        isAsked ? [request(`r${i}`, at * 400 + 50, at * 400 + 200, { input })] : [],
      );
      const turned = <T>(all: readonly T[]): readonly T[] => {
        const first = all.length === 0 ? 0 : turn % all.length;
        return [...all.slice(first), ...all.slice(0, first)].reverse();
      };
      const found = joined(calls, requests);
      assert.deepEqual(joined(turned(calls), turned(requests)), found);
      const asked = found.map((line) => line.split(' ')[1]);
      assert.equal(new Set(asked).size, asked.length);
    }),
  );
});
