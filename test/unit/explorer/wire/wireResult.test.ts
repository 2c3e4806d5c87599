import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WireEntry } from '../../../../src/runLog/wire/wireRows';
import { errorIn, parse } from '../../../../src/query/language';
import { wireLanguage } from '../../../../src/explorer/wire/wireQuery';
import type { WireSort } from '../../../../src/runLog/wire/wirePage';
import { findWire } from '../../../../src/explorer/wire/wireResult';
import { plainRegex } from '../../../support/queriedLog';
import { holds } from '../../../support/property';
import { entriesOf, line, readLog, startedAt } from '../../../support/wireRows';

const now = startedAt + 10_000;
const sessionId = 'sess-0123456789abcdef';
const plan = { sessionUpdate: 'plan', title: 'A plan' };
const log = readLog([
  line(0, 'c2a', { id: 1, method: 'initialize', params: {} }),
  line(1500, 'a2c', { id: 1, result: { protocolVersion: 1, text: 'x'.repeat(3000) } }),
  line(1600, 'c2a', { id: 2, method: 'session/new', params: {} }),
  line(1700, 'a2c', { id: 2, result: { sessionId } }),
  line(2000, 'c2a', { id: 3, method: 'session/prompt', params: { sessionId, prompt: [] } }),
  line(2100, 'a2c', { method: 'session/update', params: { sessionId, update: plan } }),
  line(2200, 'a2c', { id: 'r1', method: 'fs/read_text_file', params: { sessionId } }),
  line(2300, 'c2a', { id: 'r1', error: { code: -32000, message: 'no such file' } }),
]).wire;

const asCrossed: WireSort = { by: 'time', direction: 'ascending' };

async function found(q: string, sort = asCrossed): Promise<readonly string[]> {
  const query = parse(q, wireLanguage);
  if (errorIn(query) !== undefined) return [];
  const setting = { now, titleOf: () => 'Fix the discount', regex: plainRegex };
  const { rows } = await findWire(log, query, sort, setting);
  return [...rows].map((row) => log.get(row)?.method ?? '');
}

describe('Wire tab filter', () => {
  const [init, created, prompt] = ['initialize', 'session/new', 'session/prompt'];
  const [update, read] = ['session/update', 'fs/read_text_file'];
  const cases: readonly (readonly [q: string, methods: readonly string[]])[] = [
    ['', ['initialize', 'session/new', 'session/prompt', 'session/update', 'fs/read_text_file']],
    ['SESSION', ['session/new', 'session/prompt', 'session/update']],
    ['method:session/*', ['session/new', 'session/prompt', 'session/update']],
    ['method:session', []],
    ['plan', ['session/update']],
    ['/^A plan$/', ['session/update']],
    ['-method:session/*', ['initialize', 'fs/read_text_file']],
    ['kind:notification', ['session/update']],
    ['dir:in', ['session/update', 'fs/read_text_file']],
    ['status:error', ['fs/read_text_file']],
    ['status:-32000', ['fs/read_text_file']],
    ['status:pending', ['session/prompt']],
    ['status:error status:pending', ['session/prompt', 'fs/read_text_file']],
    ['took:>1s', ['initialize', 'session/prompt']],
    ['took:>=1500ms took:<5s', ['initialize']],
    ['took:100..200', ['session/new', 'fs/read_text_file']],
    ['size:>2k', ['initialize']],
    ['id:r1', ['fs/read_text_file']],
    ['session:none', ['initialize']],
    ['session:89abcdef kind:request', ['session/new', 'session/prompt', 'fs/read_text_file']],
    ['/^session.*(new|load)$/', ['session/new']],
    ['-/SESSION/i', ['initialize', 'fs/read_text_file']],
    ['session:"fix*" dir:in', ['session/update', 'fs/read_text_file']],
  ];
  for (const [q, methods] of cases) {
    it(`finds ${methods.length} of 5 for ${q === '' ? 'no filter' : q}`, async () =>
      assert.deepEqual(await found(q), methods));
  }

  const orders: readonly (readonly [WireSort['by'], WireSort['direction'], readonly (string | undefined)[]])[] = [
    ['time', 'descending', [read, update, prompt, created, init]],
    ['method', 'ascending', [read, init, created, prompt, update]],
    ['status', 'ascending', [prompt, read, init, created, update]],
    // What has no status or duration comes last in both directions.
    ['status', 'descending', [init, created, read, prompt, update]],
    ['took', 'descending', [prompt, init, created, read, update]],
    ['took', 'ascending', [created, read, init, prompt, update]],
    ['session', 'ascending', [created, prompt, update, read, init]],
  ];
  for (const [by, direction, methods] of orders) {
    it(`sorts by ${by}, ${direction}`, async () => assert.deepEqual(await found('', { by, direction }), methods));
  }

  it('sorts the largest first', async () => {
    assert.deepEqual((await found('', { by: 'size', direction: 'descending' }))[0], 'initialize');
  });

  it('counts all kinds regardless of the filter, and has the time span of its matches', async () => {
    const setting = { now, titleOf: () => undefined, regex: plainRegex };
    const { counts, from, to } = await findWire(log, parse('id:1', wireLanguage), asCrossed, setting);
    assert.deepEqual(counts, { requests: 4, notifications: 1, http: 0, errors: 1, pending: 1 });
    assert.deepEqual([from, to], [startedAt, startedAt + 1500]);
  });

  it('treats unknown terms as text, and says so', () => {
    const { hints } = parse('level:error took:soon status:', wireLanguage);
    const said = hints.map(({ type, key }) => `${type} ${key}`);
    assert.deepEqual(said, ['unknownKey level', 'badValue took', 'noValue status']);
  });

  const values = ['session/*', 'error', 'pending', '>1s', '<2k', '1..9', 'in', 'none', '12:00', '"a b"', ''];
  const keys = ['method', 'status', 'took', 'size', 'dir', 'kind', 'session', 'id', 'since', 'until', 'other'];
  const term = fc
    .tuple(fc.constantFrom('', '-'), fc.constantFrom(...keys), fc.constantFrom(...values))
    .map(([sign, key, value]) => `${sign}${key}:${value}`);
  holds(
    'answers any text, and a negated term with the rest',
    300,
    fc.asyncProperty(fc.oneof(fc.string(), term), async (q) => {
      const all = entriesOf(log).map(({ method }: WireEntry) => method);
      const matches = await found(q);
      assert.ok(matches.every((method) => all.includes(method)));
      const isOne = /^[a-z]+:\S+$/.test(q) && parse(q, wireLanguage).hints.length === 0;
      if (isOne) assert.deepEqual([...matches, ...(await found(`-${q}`))].sort(), [...all].sort());
    }),
  );
});
