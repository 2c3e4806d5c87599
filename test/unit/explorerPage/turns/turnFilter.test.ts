import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeTurns, turnFilter, withParents } from '../../../../src/explorerPage/turns/turnFilter';
import type { SpanRow } from '../../../../src/ui/explorer/messages';
import { holds } from '../../../support/property';

const now = 100_000;

function row(id: string, some: Partial<SpanRow>): SpanRow {
  const texts = { parent: '', tool: '', session: 'Fix the tests', sessionKey: '1a2b3c4d', title: id, detail: '' };
  const numbers = { start: 0, end: 1000, tokenCount: -1, firstSeq: 1, lastSeq: 2 };
  return { id, ...texts, ...numbers, kind: 'turn', outcome: 'ok', tokens: '', summary: '', ...some };
}

const rows = [
  row('turn 1', { tokenCount: 12_000, end: 15_000 }),
  row('npm test', { parent: 'turn 1', kind: 'tool', tool: 'bash', outcome: 'error', detail: 'exit 3' }),
  row('read a file', { parent: 'turn 1', kind: 'tool', tool: 'read', end: -1, outcome: 'open' }),
  row('turn 2', { session: 'Other', sessionKey: '99999999', tokenCount: 300 }),
];

function found(text: string): string {
  const { passes } = turnFilter(text);
  return rows
    .filter((one) => passes(one, now))
    .map(({ id }) => id)
    .join(', ');
}

describe('turns: filter', () => {
  it('finds spans by tool, status, duration, tokens, kind and session', () => {
    assert.equal(found('tool:ba*'), 'npm test');
    assert.equal(found('status:error,open'), 'npm test, read a file');
    assert.equal(found('status:error status:open'), 'npm test, read a file');
    assert.equal(found('took:>10s'), 'turn 1, read a file');
    assert.equal(found('took:>10s took:<20s'), 'turn 1');
    assert.equal(found('tokens:>=12k'), 'turn 1');
    assert.equal(found('tokens:<1k'), 'turn 2');
    assert.equal(found('-kind:turn'), 'npm test, read a file');
    assert.equal(found('session:other'), 'turn 2');
    assert.equal(found('session:1a2b3c4d kind:turn'), 'turn 1');
  });

  it('searches title, tool and detail for everything else', () => {
    assert.equal(found('TEST'), 'npm test');
    assert.equal(found('"exit 3"'), 'npm test');
    assert.equal(found('status:odd'), '');
    assert.equal(found('status:'), 'turn 1, npm test, read a file, turn 2');
    assert.deepEqual(turnFilter('foo:bar tool:x').unknown, ['foo']);
  });

  it('keeps what a match is part of', () => {
    const kept = withParents(rows, ({ id }) => id === 'npm test').map(({ id }) => id);
    assert.deepEqual(kept, ['turn 1', 'npm test']);
  });

  it('suggests keys, and the values that there are', () => {
    const suggested = (text: string): string[] => completeTurns(rows, text, text.length).map(({ text }) => text);
    assert.deepEqual(suggested('to'), ['tool:', 'took:', 'tokens:']);
    assert.deepEqual(suggested('tool:'), ['bash', 'read']);
  });

  holds(
    'takes any text',
    300,
    fc.property(fc.string({ maxLength: 200 }), (text) => void found(text)),
  );
});
