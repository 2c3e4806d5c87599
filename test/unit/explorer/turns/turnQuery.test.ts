import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeIn } from '../../../../src/query/completion';
import { parse } from '../../../../src/query/language';
import { RegexWorker } from '../../../../src/machine/regexWorker';
import { findTurns, suggestTurns, turnLanguage } from '../../../../src/explorer/turns/turnQuery';
import type { Span } from '../../../../src/timeline/span';
import { madeSpan } from '../../../support/madeSpan';
import { holds } from '../../../support/property';

const now = 100_000;
const titles = new Map([
  ['5e551017-0000-4000-8000-00001a2b3c4d', 'Fix the tests'],
  ['5e551017-0000-4000-8000-000099999999', 'Other'],
]);
const [first = '', second = ''] = titles.keys();
const titleOf = (id: string): string | undefined => titles.get(id);

const span = (title: string, some: Partial<Span>): Span =>
  madeSpan(title, 'turn', 0, 1000, { sessionId: first, ...some });

const { endedAt: _, ...open } = span('read a file', { kind: 'tool', toolName: 'read' });
const spans: readonly Span[] = [
  span('turn 1', { usage: { inputTokens: 12_000, basis: 'turn' }, endedAt: 15_000 }),
  span('npm test', { kind: 'tool', toolName: 'bash', outcome: 'error', detail: 'exit 3' }),
  open,
  span('turn 2', { sessionId: second, usage: { totalTokens: 300, basis: 'turn' } }),
];

describe('turns: filter', () => {
  const regex = new RegexWorker();
  after(() => regex.dispose());

  async function found(text: string, among = spans): Promise<string> {
    const matches = await findTurns(among, parse(text, turnLanguage), { now, titleOf, regex });
    return [...matches].map(({ title }) => title).join(', ');
  }

  it('finds spans by tool, status, duration, tokens, kind and session', async () => {
    assert.equal(await found('tool:ba*'), 'npm test');
    assert.equal(await found('status:error,open'), 'npm test, read a file');
    assert.equal(await found('status:error status:open'), 'npm test, read a file');
    assert.equal(await found('took:>10s'), 'turn 1, read a file');
    assert.equal(await found('took:>10s took:<20s'), 'turn 1');
    assert.equal(await found('tokens:>=12k'), 'turn 1');
    assert.equal(await found('tokens:<1k'), 'turn 2');
    assert.equal(await found('-kind:turn'), 'npm test, read a file');
    assert.equal(await found('session:other'), 'turn 2');
    assert.equal(await found('session:1a2b3c4d kind:turn'), 'turn 1');
  });

  it('finds turns by what they cost, what they read from the cache, and how full the context is', async () => {
    const of = (title: string, usage: Omit<Span['usage'] & object, 'basis'>): Span =>
      span(title, { usage: { ...usage, basis: 'turn' } });
    const turns = [
      of('dear', { costUsd: 4.12, inputTokens: 1000, cachedTokens: 0 }),
      of('cheap', { costUsd: 0.1, inputTokens: 1000, cachedTokens: 916 }),
      of('full', { contextTokens: 171_000, contextWindow: 200_000 }),
      span('unknown', {}),
    ];
    assert.equal(await found('cost:>0.1', turns), 'dear');
    assert.equal(await found('cost:0.05..1', turns), 'cheap');
    assert.equal(await found('cost:<1', turns), 'cheap');
    assert.equal(await found('cache:<50', turns), 'dear');
    assert.equal(await found('cache:91..91', turns), 'cheap');
    assert.equal(await found('ctx:>80', turns), 'full');
    assert.equal(await found('-ctx:<100', turns), 'dear, cheap, unknown');
  });

  it('finds spans by time, as the other lists do', async () => {
    assert.equal(await found('since:1970-01-01T00:00:10Z'), 'turn 1, read a file');
    assert.equal(await found('before:1970-01-01T00:00:10Z -tool:*'), 'turn 1, turn 2');
  });

  it('finds calls by the files that they changed', async () => {
    const changes = [{ path: '/p/src/a.ts', kind: 'edited', added: 1, removed: 0 }] as const;
    const edit = span('Edit a', { kind: 'tool', changes });
    for (const file of ['a.ts', 'src/a.ts', 'SRC\\a.ts', '*.ts', '/p/src/a.ts', '*/src/*']) {
      assert.equal(await found(`file:${file}`, [...spans, edit]), 'Edit a', file);
    }
    for (const file of ['aa.ts', 'src']) assert.equal(await found(`file:${file}`, [...spans, edit]), '', file);
    assert.deepEqual(suggestTurns([edit, edit], 'file', titleOf), [{ value: 'a.ts', count: 2 }]);
  });

  it('searches title, tool and detail for everything else', async () => {
    assert.equal(await found('TEST'), 'npm test');
    assert.equal(await found('"exit 3"'), 'npm test');
    assert.equal(await found('/^(npm|read) /'), 'npm test, read a file');
    assert.equal(await found('status:odd'), '');
    assert.equal(await found('status:'), 'turn 1, npm test, read a file, turn 2');
  });

  it('suggests keys, and the values that there are, with their counts', () => {
    const suggested = (text: string): string[] =>
      completeIn(turnLanguage, (key) => suggestTurns(spans, key, titleOf), text, text.length).map(
        ({ text, count }) => `${text}${count === undefined ? '' : ` ${count}`}`,
      );
    assert.deepEqual(suggested('to'), ['tool:', 'took:', 'tokens:']);
    assert.deepEqual(suggested('tool:'), ['bash 1', 'read 1']);
    assert.deepEqual(suggested('session:'), ['"Fix the tests" 3', 'Other 1']);
    assert.deepEqual(suggested('status:op'), ['open 1']);
  });

  holds(
    'takes any text',
    300,
    fc.property(fc.string({ maxLength: 200 }), (text) => void parse(text, turnLanguage)),
  );
});
