import assert from 'node:assert/strict';
import {
  askedLevels,
  exceptValue,
  hasTimes,
  isContiguous,
  localIso,
  onlyValue,
  rangeIn,
  toggleKinds,
  toggleLevel,
  toggleValue,
  typedPart,
  withTimes,
  withTyped,
  withoutTerms,
} from '../../../src/explorerPage/filter/queryText';
import { parseQuery } from '../../../src/query/parseQuery';
import { barsOf } from '../../../src/explorerPage/records/bars';

describe('the filter as text', () => {
  it('knows the levels that it asks for', () => {
    assert.deepEqual([...askedLevels('level:error')], [4, 5, 6, 7]);
    assert.deepEqual([...askedLevels('level:=info,=error x')], [1, 4]);
    assert.deepEqual([...askedLevels('-level:error "level:info"')], []);
  });

  it('asks for a range of time relative to what the query is relative to, not to the clock', () => {
    const axis = { from: 1000, to: 100_000 };
    const times = { now: 100_000, newest: 100_000 };
    const rows: readonly (readonly [text: string, range: object | undefined])[] = [
      ['prompt -since:1m', undefined],
      ['since:1m', { from: 40_000, to: 100_000 }],
      ['until:30s', { from: 1000, to: 70_000 }],
      ['since:1m until:30s', { from: 40_000, to: 70_000 }],
      ['since:30s,1m', { from: 40_000, to: 100_000 }],
      ['since:1m since:30s', { from: 40_000, to: 100_000 }],
      ['until:1m,30s', { from: 1000, to: 70_000 }],
      ['since:1h', { from: 1000, to: 100_000 }],
    ];
    for (const [text, range] of rows) assert.deepEqual(rangeIn(text, { axis, times }), range, text);
  });

  it('has a part of the chips that the box doesn’t show', () => {
    const first = 'kind:request,http';
    assert.equal(typedPart(first), '');
    assert.equal(typedPart(`${first} prompt `), 'prompt ');
    assert.equal(withTyped(first, 'prompt '), `${first} prompt `);
    assert.equal(withTyped(`${first} prompt`, ''), first);
    assert.equal(withTyped('prompt', 'x'), 'x');
    assert.equal(toggleKinds(`${first} prompt`, ['request', 'http']), 'prompt');
    assert.equal(toggleKinds('prompt', ['notification']), 'kind:notification prompt');
    assert.equal(toggleKinds(first, ['notification']), `${first},notification`);
  });

  it('leaves kinds that are typed in the box, instead of those of the chips', () => {
    const typed = withTyped('kind:request,http prompt', 'kind:notification');
    assert.equal(typedPart(typed), 'kind:notification');
    assert.equal(typedPart(withTyped(typed, 'kind:notification,http x')), 'kind:notification,http x');
    assert.equal(typedPart('kind:requested x'), 'kind:requested x');
  });

  it('adds and takes away a level', () => {
    assert.equal(toggleLevel('', 4), 'level:=error');
    assert.equal(toggleLevel('disk level:=error', 3), 'disk level:=warning,=error');
    assert.equal(toggleLevel('level:critical', 4), 'level:error');
    assert.equal(toggleLevel('level:=error disk', 4), 'disk');
    const all = [0, 1, 2, 3, 4, 5, 6, 7].reduce(toggleLevel, 'disk');
    assert.equal(all, 'disk');
  });

  it('asks for one value of a key only', () => {
    assert.equal(onlyValue('disk Logger:db -logger:http since:10m', 'logger', 'http'), 'disk since:10m logger:http');
    assert.equal(onlyValue('', 'session', 'Fix "it", now'), 'session:"Fix \\"it\\", now"');
    assert.equal(onlyValue('level:warning', 'level', '=info'), 'level:=info');
  });

  it('excludes a value of a key', () => {
    assert.equal(exceptValue('disk', 'logger', 'http'), 'disk -logger:http');
    assert.equal(exceptValue('disk -logger:http', 'logger', 'http'), 'disk -logger:http');
    assert.equal(exceptValue('logger:http disk', 'logger', 'http'), 'disk -logger:http');
    assert.equal(exceptValue('logger:"a b",http,db', 'logger', 'http'), 'logger:"a b",db');
    assert.equal(exceptValue('logger:h* -logger:db', 'logger', 'http'), 'logger:h* -logger:db -logger:http');
  });

  it('keeps the quotes of other values, and everything else as it was typed', () => {
    assert.equal(toggleValue('tool:"npm test",read', 'tool', 'read'), 'tool:"npm test"');
    const typed = '"two  spaces" level:info /a  b/ -level:debug';
    assert.equal(withoutTerms(typed, ['level']), '"two  spaces" /a  b/ -level:debug');
    assert.equal(withoutTerms('  untouched  ', ['level']), 'untouched');
  });

  it('knows whether it leaves out single records', () => {
    for (const text of ['', 'session:work since:10m', 'seq:1..']) assert.ok(isContiguous(text), text);
    for (const text of ['level:info', 'word', '-session:work', 'is:problem']) assert.ok(!isContiguous(text), text);
  });

  it('writes a stretch of time that the parser reads back', () => {
    const [from, to] = [Date.UTC(2026, 0, 2, 3, 4, 5, 6), Date.UTC(2026, 0, 2, 4, 5, 6, 7)];
    const text = withTimes('disk since:10m', { from, to });
    const { terms } = parseQuery(text);
    const times = terms.flatMap((term) => (term.key === 'since' || term.key === 'until' ? term.values : []));
    const dates = [from, to].map((ms) => ({ type: 'date', ms }));
    assert.deepEqual(times, dates);
    assert.ok(hasTimes(text));
    assert.equal(withTimes(text, undefined), 'disk');
    assert.match(localIso(from), /^2026-01-0\dT\d\d:04:05\.006$/);
  });
});

describe('bars of the histogram', () => {
  it('are linear, and show a single error among many records', () => {
    const counts = new Uint32Array(16);
    counts.set([0, 1000, 0, 0, 1], 0);
    counts.set([0, 500], 8);
    const [first, second] = barsOf(counts, 36);
    assert.equal(first?.error, 2);
    assert.equal(first.quiet + first.warning + first.error, 36);
    assert.ok(Math.abs((second?.quiet ?? 0) - 18) < 0.1);
    assert.deepEqual(barsOf(new Uint32Array(8), 36), [{ quiet: 0, warning: 0, error: 0 }]);
  });
});
