import assert from 'node:assert/strict';
import fc from 'fast-check';
import { english, t } from '../../../../src/text/translator';
import { HumanError } from '../../../../src/text/humanError';
import { dispatch } from '../../../../src/explorer/page/dispatch';
import type { ArgsOf, CallName, Handlers } from '../../../../src/explorer/page/messages';
import { calls, callsByName, maxFilter, maxState } from '../../../../src/explorer/page/messages';
import { defaultSplit, printState, readState } from '../../../../src/explorer/page/pageState';
import { holds } from '../../../support/property';

/** Valid arguments of each call. */
const valid: { readonly [Name in CallName]: ArgsOf<Name> } = {
  'page.ready': { v: 1, state: '' },
  'page.keep': { state: 'run=a' },
  'page.columns': { columns: 'log.session=0' },
  'page.fault': { place: 'draw', text: 'Error: x' },
  'page.restart': {},
  'log.query': { gen: 1, q: 'level:error' },
  'log.rows': { from: 0, count: 200 },
  'log.levels': {},
  'log.histogram': { buckets: 120 },
  'log.at': { time: 1_760_000_000_000 },
  'log.next': { seq: 4, dir: -1, what: 'failure' },
  'log.problem': { seq: 4, dir: 1 },
  'log.locate': { seq: 4 },
  'log.complete': { text: 'le', caret: 2 },
  'log.export': {},
  'record.details': { seq: 4 },
  'record.members': { seq: 4, path: [0, 2], from: 200 },
  'record.value': { seq: 4, path: [] },
  'record.raw': { seq: 4 },
  'record.act': { name: 'copyMessage', seqs: [1, 2] },
  'wire.find': { q: 'status:error', by: 'took', direction: 'descending', row: null, seq: 4, rows: 'none' },
  'wire.rows': { from: 0, count: 200 },
  'wire.body': { row: 4 },
  'wire.copy': { row: 4 },
  'wire.next': { row: null, dir: 1, what: 'session' },
  'wire.complete': { text: 'me', caret: 2 },
  'turns.find': { q: '', rows: 'oldest', seq: null },
  'turns.copy': { id: 'turn-1' },
  'turns.showChanges': { id: 'turn-1', file: null },
  'turns.changes': { id: 'turn-1' },
  'turns.across': { id: 'tool-1/0/r12' },
  'turns.ends': { id: 'span-1' },
  'turns.compare': { id: 'turn-1' },
  'turns.complete': { text: 'to', caret: 2 },
};

describe('calls of the page', () => {
  let called: readonly unknown[] = [];
  let reported: unknown[] = [];
  let answer: () => unknown;
  /** Notes each call. */
  const handlers = Object.fromEntries(
    Object.entries(calls).map(([group, methods]) => {
      const note = (method: string) => (args: unknown) => {
        called = [`${group}.${method}`, args];
        return answer();
      };
      return [group, Object.fromEntries(Object.keys(methods).map((method) => [method, note(method)]))];
    }),
  ) as unknown as Handlers;
  const send = (message: unknown) => dispatch(message, handlers, english, (error) => reported.push(error));

  beforeEach(() => {
    called = [];
    reported = [];
    answer = () => 'done';
  });

  for (const [call, args] of Object.entries(valid)) {
    it(`reach ${call}`, async () => {
      assert.deepEqual(await send(structuredClone({ id: 7, call, args })), { id: 7, answer: 'done' });
      assert.deepEqual(called, [call, args]);
    });
  }

  const invalid: readonly (readonly [call: unknown, args: unknown])[] = [
    [undefined, {}],
    ['toString', {}],
    ['log', {}],
    ['log.eval', { text: '1' }],
    ['log.toString', {}],
    ['log.rows.rows', { from: 0, count: 2 }],
    ['__proto__.toString', {}],
    ['log.rows', undefined],
    ['log.rows', []],
    ['log.rows', { from: 0 }],
    ['log.rows', { from: 0, count: 201 }],
    ['log.rows', { from: -1, count: 2 }],
    ['log.rows', { from: 1.5, count: 2 }],
    ['log.query', { gen: 1, q: 'x'.repeat(maxFilter + 1) }],
    ['log.histogram', { buckets: 1e9 }],
    ['log.next', { seq: 1, dir: 2, what: 'problem' }],
    ['page.keep', { state: 'x'.repeat(maxState + 1) }],
    ['record.act', { name: 'deleteEverything', seqs: [] }],
    ['record.act', { name: 'copyMessage', seqs: ['/etc/passwd'] }],
    ['record.members', { seq: 1, path: Array.from({ length: 1000 }, () => 0), from: 0 }],
    ['wire.find', { q: '', order: 'random', row: null, seq: null, rows: 'none' }],
    ['wire.rows', { from: 0, count: 201 }],
    ['wire.body', { row: '4' }],
  ];
  it('are answered with an error if they are unknown or their arguments are invalid', async () => {
    for (const [call, args] of invalid) {
      const answered = await send({ id: 1, call, args });
      const shown = JSON.stringify({ call, args }).slice(0, 80);
      assert.match(answered && 'error' in answered ? answered.error : '', /^(Unknown call|Invalid arguments): /, shown);
    }
    assert.deepEqual(called, []);
    assert.equal(reported.length, invalid.length);
  });

  it('pass on known arguments only', async () => {
    await send({ id: 1, call: 'record.raw', args: { seq: 1, path: '/etc/passwd' } });
    assert.deepEqual(called, ['record.raw', { seq: 1 }]);
  });

  it('are answered with the error of a handler that fails, which is reported unless it is for the user', async () => {
    const failure = new Error('The disk is gone.');
    answer = () => Promise.reject(failure);
    assert.deepEqual(await send({ id: 1, call: 'log.export', args: {} }), { id: 1, error: 'The disk is gone.' });
    answer = () => {
      throw new HumanError(t('Too slow.'));
    };
    assert.deepEqual(await send({ id: 2, call: 'log.export', args: {} }), { id: 2, error: 'Too slow.' });
    assert.deepEqual(reported, [failure]);
  });

  it('are overtaken by calls of their groups', () => {
    for (const [name, { overtakenBy }] of callsByName) {
      if (overtakenBy === undefined) continue;
      assert.ok(callsByName.has(`${name.slice(0, name.indexOf('.'))}.${overtakenBy}`), name);
    }
  });

  holds(
    'never throw',
    500,
    fc.asyncProperty(fc.anything(), fc.anything(), async (message, args) => {
      assert.equal(await send(message), undefined);
      await send({ id: 1, call: 'log.rows', args });
    }),
  );
});

describe('state of the page', () => {
  const plain = { noNullPrototype: true } as const;
  const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
  const [filter, seq] = [fc.string({ maxLength: 200 }), maybe(fc.integer({ min: 1, max: 1e9 }))];
  const direction = fc.constantFrom('ascending' as const, 'descending' as const);
  const sort = <By>(...by: readonly By[]) => fc.record({ by: fc.constantFrom(...by), direction }, plain);
  const states = fc.record(
    {
      run: fc.stringMatching(/^[0-9a-f]{0,40}$/),
      tab: fc.constant('log' as const),
      q: filter,
      turnsQ: filter,
      wireQ: maybe(filter),
      seq,
      isOpen: fc.boolean(),
      top: seq,
      follow: fc.boolean(),
      seen: seq,
      wireSort: sort('time' as const, 'took' as const),
      turnsSort: sort('bars' as const, 'tokens' as const),
      split: fc.constantFrom(0.2, defaultSplit, 0.5, 0.8),
      marks: fc.array(fc.integer({ min: 1, max: 1e7 }), { maxLength: 20 }),
    },
    plain,
  );

  holds(
    'is read as it was printed',
    300,
    fc.property(states, (state) => {
      assert.deepEqual(readState(printState(state)), state);
    }),
  );

  holds(
    'reads whatever it is given',
    300,
    fc.property(fc.string({ maxLength: 4000 }), (text) => {
      assert.ok(printState(readState(text)).length <= maxState);
    }),
  );

  it('keeps the newest bookmarks if there are too many', () => {
    const marks = Array.from({ length: 1000 }, (_, n) => n + 1_000_000);
    const kept = readState(printState({ ...readState(''), marks })).marks;
    assert.ok(kept.length > 100 && kept.length < 1000);
    assert.equal(kept.at(-1), marks.at(-1));
  });
});
