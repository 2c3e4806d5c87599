import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PageMessage } from '../../../../src/ui/explorer/messages';
import { maxFilter, maxState } from '../../../../src/ui/explorer/messages';
import { parseMessage } from '../../../../src/ui/explorer/parseMessage';
import { defaultSplit, printState, readState } from '../../../../src/ui/explorer/pageState';
import { holds } from '../../../support/property';

const valid: readonly PageMessage[] = [
  { t: 'ready', v: 1, state: '' },
  { t: 'query', gen: 1, q: 'level:error' },
  { t: 'rows', gen: 1, from: 0, count: 200 },
  { t: 'counts', gen: 1, buckets: 120 },
  { t: 'details', seq: 4 },
  { t: 'tree', seq: 4, path: [0, 2], from: 200 },
  { t: 'value', seq: 4, path: [] },
  { t: 'raw', seq: 4 },
  { t: 'next', gen: 1, seq: 4, dir: -1, what: 'problem' },
  { t: 'locate', gen: 1, seq: 4 },
  { t: 'complete', text: 'le', caret: 2 },
  { t: 'act', name: 'copyMessage', seqs: [1, 2] },
  { t: 'export', gen: 1 },
  { t: 'state', state: 'run=a' },
  { t: 'wire', gen: 1, q: 'status:error', order: 'slowest', row: null },
  { t: 'wireRows', gen: 1, from: 0, count: 200 },
  { t: 'wireBody', row: 4 },
  { t: 'wireCopy', row: 4 },
  { t: 'wireLocate', gen: 1, seq: 4 },
  { t: 'wireComplete', text: 'me', caret: 2 },
];

describe('messages of the page', () => {
  for (const message of valid) {
    it(`accepts ${message.t}`, () => assert.deepEqual(parseMessage(structuredClone(message)), message));
  }

  const invalid: readonly unknown[] = [
    undefined,
    'ready',
    [],
    {},
    { t: 'eval', text: '1' },
    { t: 'rows', gen: 1, from: 0, count: 201 },
    { t: 'rows', gen: 1, from: -1, count: 2 },
    { t: 'wire', gen: 1, q: '', order: 'random', row: null },
    { t: 'wireRows', gen: 1, from: 0, count: 201 },
    { t: 'wireBody', row: '4' },
    { t: 'rows', gen: 1.5, from: 0, count: 2 },
    { t: 'query', gen: 1, q: 'x'.repeat(maxFilter + 1) },
    { t: 'state', state: 'x'.repeat(maxState + 1) },
    { t: 'counts', gen: 1, buckets: 1e9 },
    { t: 'act', name: 'deleteEverything', seqs: [] },
    { t: 'act', name: 'copyMessage', seqs: ['/etc/passwd'] },
    { t: 'tree', seq: 1, path: Array.from({ length: 1000 }, () => 0), from: 0 },
    { t: 'next', gen: 1, seq: 1, dir: 2, what: 'problem' },
  ];
  it('drops everything else', () => {
    for (const message of invalid) {
      assert.equal(parseMessage(message), undefined, JSON.stringify({ message }).slice(0, 80));
    }
  });

  it('takes over known fields only', () => {
    assert.deepEqual(parseMessage({ t: 'raw', seq: 1, path: '/etc/passwd' }), { t: 'raw', seq: 1 });
  });

  holds(
    'never throws',
    500,
    fc.property(fc.anything(), (value) => void parseMessage(value)),
  );
});

describe('state of the page', () => {
  const states = fc.record(
    {
      run: fc.stringMatching(/^[0-9a-f]{0,40}$/),
      tab: fc.constant('log' as const),
      q: fc.string({ maxLength: 200 }),
      turnsQ: fc.string({ maxLength: 200 }),
      wireQ: fc.option(fc.string({ maxLength: 200 }), { nil: undefined }),
      seq: fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined }),
      isOpen: fc.boolean(),
      top: fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined }),
      follow: fc.boolean(),
      split: fc.constantFrom(0.2, defaultSplit, 0.5, 0.8),
      marks: fc.array(fc.integer({ min: 1, max: 1e7 }), { maxLength: 20 }),
    },
    { noNullPrototype: true },
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
