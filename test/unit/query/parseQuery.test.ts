import assert from 'node:assert/strict';
import fc from 'fast-check';
import { complete } from '../../../src/query/completion';
import { parseQuery } from '../../../src/query/parseQuery';
import { printQuery, printTime } from '../../support/printQuery';
import type { Term } from '../../../src/query/query';
import { parseTime, resolveTime } from '../../../src/query/timeValue';

describe('the query language', () => {
  it('reads every key', () => {
    const cases: readonly (readonly [text: string, ...terms: object[]])[] = [
      ['time out', text('time'), text('out')],
      ['"time out"', { key: 'text', text: 'time out', isQuoted: true }],
      ['level:warn', { key: 'level', values: [{ level: 'warning', isExact: false }] }],
      ['LEVEL:=info,error', { key: 'level', values: [level('info', true), level('error', false)] }],
      ['session:"my title",none', { key: 'session', values: ['my title', 'none'] }],
      ['logger:http*', { key: 'logger', values: ['http*'] }],
      ['kind:stderr,log', { key: 'kind', values: ['stderr', 'log'] }],
      ['since:10m', { key: 'since', values: [{ type: 'ago', ms: 600_000 }] }],
      ['before:12:04', { key: 'until', values: [{ type: 'clock', ms: 43_440_000 }] }],
      ['after:2026-11-22T10:00:00Z', { key: 'since', values: [{ type: 'date', ms: Date.UTC(2026, 10, 22, 10) }] }],
      ['is:problem has:data', { key: 'is', values: ['problem'] }, { key: 'has', values: ['data'] }],
      ['raw:"\\"id\\":7"', { key: 'raw', values: ['"id":7'] }],
      ['raw:C:\\new', { key: 'raw', values: ['C:\\new'] }],
      ['seq:100..200,5', { key: 'seq', values: [range(100, 200), range(5, 5)] }],
      ['seq:100.. seq:*..7', { key: 'seq', values: [{ from: 100 }] }, { key: 'seq', values: [{ to: 7 }] }],
      ['/a b[/]\\/c/i', { key: 'regex', source: 'a b[/]\\/c', ignoresCase: true }],
    ];
    for (const [query, ...terms] of cases) {
      const expected = terms.map((term) => ({ ...term, negated: false }));
      assert.deepEqual(withoutRanges(query), expected, query);
      assert.deepEqual(parseQuery(query).hints, [], query);
    }
  });

  it('negates with a minus or an exclamation mark, but not what people paste', () => {
    for (const query of ['-level:info', '!level:info', '-"a"', '!a', '-/x/', '!5', '-http://x']) {
      const { terms } = parseQuery(query);
      assert.deepEqual([terms.length, terms[0]?.negated], [1, true], query);
    }
    for (const query of ['-32601', '--verbose', '->', '!=', '/usr/bin', 'C:\\x', 'http://x', '"-a"']) {
      const { terms, hints } = parseQuery(query);
      assert.deepEqual([terms.length, terms[0]?.key, terms[0]?.negated, hints], [1, 'text', false, []], query);
    }
    assert.deepEqual(parseQuery('- ! a').terms.length, 1);
  });

  it('takes what it does not understand as text, with a hint', () => {
    const hints = (query: string): unknown => parseQuery(query).hints.map(({ type, key, value }) => [type, key, value]);
    assert.deepEqual(hints('levl:error'), [['unknownKey', 'levl', undefined]]);
    assert.deepEqual(hints('level=error OR not'), [
      ['stray', 'level=error', 'level:error'],
      ['stray', 'OR', 'key:a,b'],
    ]);
    assert.deepEqual(hints('(level:error) (yes) a=b x>1 constructor'), [['stray', '(level:error)', 'level:error']]);
    assert.deepEqual(hints('level:loud'), [['badValue', 'level', 'loud']]);
    assert.deepEqual(hints('since:soon seq:x'), [
      ['badValue', 'since', 'soon'],
      ['badValue', 'seq', 'x'],
    ]);
    assert.deepEqual(hints('level:'), [['noValue', 'level', undefined]]);
    assert.deepEqual(hints(`/${'a'.repeat(201)}/`), [['longRegex', undefined, undefined]]);
    assert.match(String(parseQuery('/(/').hints[0]?.value), /Invalid regular expression/);
    assert.deepEqual(withoutRanges('level:loud'), [{ ...text('level:loud'), negated: false }]);
    assert.deepEqual(parseQuery('level:').terms, []);
  });

  it('reads a regular expression across lines, because it prints terms on one', () => {
    for (const query of ['/a\nb/', '/\\\n/', '/[\n]/']) {
      assert.deepEqual(withoutRanges(printQuery(parseQuery(query))), withoutRanges(query));
    }
  });

  it('never throws, and prints what it reads the same', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const printed = printQuery(parseQuery(query));
        assert.deepEqual(withoutRanges(printed), withoutRanges(query), printed);
        assert.equal(printQuery(parseQuery(printed)), printed);
      }),
      { numRuns: 2000 },
    );
  });

  it('knows where each term is', () => {
    const query = 'a  -level:info "b c"';
    const found = parseQuery(query).terms.map(({ range }) => query.slice(range.start, range.end));
    assert.deepEqual(found, ['a', '-level:info', '"b c"']);
  });

  it('suggests keys, then values with counts', () => {
    const facets = {
      level: [{ value: 'error', count: 3 }],
      session: [{ value: 'my title', count: 2 }],
      logger: [{ value: 'http', count: 1 }],
    };
    const texts = (query: string, caret = query.length): readonly string[] =>
      complete(query, caret, facets).map(
        ({ text: added, range }) => query.slice(0, range.start) + added + query.slice(range.end),
      );
    assert.deepEqual(texts('a -le'), ['a -level:']);
    assert.equal(texts('').length, 11);
    assert.deepEqual(texts('level:=err b', 10), ['level:=error b']);
    assert.deepEqual(texts('kind:log,std'), ['kind:log,stderr']);
    assert.deepEqual(texts('session:"my'), ['session:"my title"']);
    assert.equal(complete('level:err', 9, facets)[0]?.count, 3);
    fc.assert(
      fc.property(queries, fc.nat(60), (query, caret) => void complete(query, Math.min(caret, query.length), facets)),
    );
  });
});

describe('times in a query', () => {
  it('prints queries in the form they are read', () => {
    for (const time of ['10m', '90s', '1w', '250ms', '12:04', '12:04:05', '00:00:00.120']) {
      assert.equal(printTime(parseTime(time)!), time);
    }
    for (const time of ['10', 'm', '24:00', '2026-13-01', '1:2', 'yesterday']) {
      assert.equal(parseTime(time), undefined, time);
    }
  });

  it('of day are near the newest record', () => {
    const at = (day: number, hours: number): number => new Date(2026, 10, day, hours).getTime();
    const clock = (hours: number): { type: 'clock'; ms: number } => ({ type: 'clock', ms: hours * 3_600_000 });
    assert.equal(resolveTime(clock(12), 'since', { now: at(30, 0), newest: at(22, 15) }), at(22, 12));
    assert.equal(resolveTime(clock(16), 'since', { now: at(30, 0), newest: at(22, 15) }), at(21, 16));
    assert.equal(resolveTime(clock(16), 'until', { now: at(30, 0), newest: at(22, 15) }), at(22, 16));
    assert.equal(resolveTime(clock(23), 'until', { now: at(30, 0), newest: at(22, 1) }), at(21, 23));
    assert.equal(resolveTime({ type: 'ago', ms: 5 }, 'since', { now: 100, newest: 50 }), 95);
  });
});

const words = fc.constantFrom(
  'level:', 'level:warning', '=info', 'session:', 'seq:1..', '..', 'since:', '10m', '12:04', '2026-11-22', 'raw:', 'foo:',
  '-', '!', '"', '\\', '/', 'i', ',', ' ', 'a', '5', '*', '>', '[', 'has:data', 'é', '\u2028',
); // prettier-ignore
const queries = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(words, { maxLength: 12 }).map((some) => some.join('')),
);

function withoutRanges(query: string): readonly object[] {
  return parseQuery(query).terms.map(({ range: _range, ...term }: Term) => term);
}

function text(word: string): object {
  return { key: 'text', text: word, isQuoted: false };
}

function range(from: number, to: number): object {
  return { from, to };
}

function level(name: string, isExact: boolean): object {
  return { level: name, isExact };
}
