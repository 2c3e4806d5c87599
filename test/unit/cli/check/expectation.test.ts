import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { levels } from '../../../../src/text/level';
import { parseChecks } from '../../../../src/cli/check/checksFile';
import type { WrittenExpectation } from '../../../../src/cli/check/expectation';
import { expectationOf, subjects, titleOf } from '../../../../src/cli/check/expectation';
import { UsageError } from '../../../../src/cli/usageError';
import { column } from '../../../support/columns';

function refused(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  }
  return assert.fail('it was accepted');
}

const titleIs = (written: WrittenExpectation): string => titleOf(expectationOf(written, 'expectation 1'));

describe('agent-logs check: expectations', () => {
  it('expects one match, unless it says how many', () => {
    assert.deepEqual(expectationOf({ expect: 'level:error' }, ''), { type: 'records', query: 'level:error', min: 1 });
    const none = { type: 'spans', query: 'kind:tool', max: 0 };
    assert.deepEqual(expectationOf({ spans: 'kind:tool', max: '0' }, ''), none);
    assert.deepEqual(expectationOf({ noProblems: 'warn' }, ''), { type: 'noProblems', level: 'warning' });
  });

  it('are called what they expect', () => {
    assert.equal(titleIs({ expect: 'a' }), 'at least 1 record match "a"');
    assert.equal(titleIs({ expect: 'a', max: 0 }), 'no records match "a"');
    assert.equal(titleIs({ spans: 'a', min: 2, max: 2 }), 'exactly 2 spans match "a"');
    assert.equal(titleIs({ spans: 'a', min: 2, max: 3 }), '2 to 3 spans match "a"');
    assert.equal(titleIs({ expect: 'a', name: 'it says a' }), 'it says a');
  });

  it('are refused if they would check something else than is meant', () => {
    const refusal = (written: WrittenExpectation): string => refused(() => expectationOf(written, 'expectation 1'));
    assert.match(refusal({ expect: 'levle:error' }), /expectation 1: ‘levle:’ isn’t a known key.*in quotes/);
    for (const [query, instead] of [
      ['level=error', 'level:error'],
      ['level==error', 'level:error'],
      ['level!=error', '-level:error'],
      ['(level:error)', 'level:error'],
      ['kind:stderr -(level:error)', 'level:error'],
      ['NOT(level:error)', '-level:error'],
      ['level:error OR kind:stderr', 'key:a,b'],
      ['level:error || kind:stderr', 'key:a,b'],
      ['level:error and kind:stderr', 'key:a other:b'],
      ['not level:error', '-key:a'],
      ['level = error', 'key:a'],
      ['levle-x:', 'key:a'],
      ['levle-x:error', 'key:a'],
      ['levle:', 'key:a'],
      ['levle=error', 'level:error'],
      ['levl!=error', '-level:error'],
      ['logger:a|b', 'logger:a,b'],
      ['-logger:a||b', 'logger:a,b'],
    ] as const) {
      const text = refusal({ expect: query, max: 0 });
      assert.ok(text.includes(`Write it like ${instead}. If that is meant, put it in quotes.`), `${query}: ${text}`);
      if (query.includes(' ')) assert.match(refusal({ spans: query.replaceAll('level', 'kind') }), /./);
    }
    assert.match(refusal({ spans: 'tool:a|b' }), /Write it like tool:a,b\. If that is meant, put it in quotes/);
    assert.match(refusal({ spans: 'took>10s' }), /Write it like took:>10s\./);
    assert.match(refusal({ spans: 'cost>=0.5' }), /Write it like cost:>=0\.5\./);
    const quoted = ['"level=error"', '"not"', '"(x)"', 'logger:"a|b"'];
    for (const text of [...quoted, 'exit=1', 'a|b', 'https://a.b', 'C:\\x', '-level:error', 'a-b', 'x>1', '->']) {
      assert.deepEqual(expectationOf({ expect: text }, ''), { type: 'records', query: text, min: 1 });
    }
    for (const [query, why] of [
      ['took:10s..1s', /‘10s\.\.1s’ isn’t a valid value/],
      ['took:<0', /‘<0’ isn’t a valid value/],
      ['took:>10s took:<1s', /its terms of ‘took:’ exclude each other/],
      ['took:<1s,3s..4s took:1s..2s', /its terms of ‘took:’ exclude each other/],
      ['kind:tool -kind:turn,tool', /its terms of ‘kind:’ exclude each other/],
      ['bash git -GIT', /its texts exclude each other/],
      ['since:2026-01-02 until:2026-01-01', /‘since:’ is after ‘until:’/],
      ['since:5m until:10m', /‘since:’ is after ‘until:’/],
      ['"status:error', /‘"status:error’ has a quote without an end/],
      ['-tool:"bash x', /‘-tool:"bash x’ has a quote without an end/],
      ['tool:bash"x y"', /‘tool:bash"x’ has a quote without an end/],
      ['! status:error', /‘!’ stands alone/],
      ['kind:tool -', /‘-’ stands alone/],
      ['/failed/g', /only flag is i\. Write it like \/failed\/\./],
      ['kind:tool -/has failed/mI', /only flag is i\. Write it like \/has failed\/i\./],
    ] as const) {
      assert.match(refusal({ spans: query, max: 0 }), why);
    }
    for (const query of ['level:error -level:warning', 'level:=info -level:debug', 'seq:200..100']) {
      assert.match(refusal({ expect: query, max: 0 }), /exclude each other|isn’t a valid value/);
    }
    for (const query of ['level:warning -level:error', 'level:info -level:=info', 'kind:log kind:stderr -kind:log']) {
      assert.equal(expectationOf({ expect: query, max: 0 }, '').type, 'records');
    }
    const fine = ['took:>1s took:<5s', 'took:1s..2s,9s took:>5s', '/usr/src/ui', 'since:10m until:5m', '{"a":"b'];
    for (const query of fine) {
      assert.equal(expectationOf({ spans: query, max: 0 }, '').type, 'spans');
    }
    for (const [written, why] of [
      [{ spans: 'took:soon' }, /isn’t a valid value for ‘took:’/],
      [{ expect: '/(/' }, /regular expression is invalid/],
      [{ expect: 'a', spans: 'b' }, /expectations of their own/],
      [{ noProblems: 'loud' }, /there is no level "loud"/],
      [{ noProblems: 'error', max: 1 }, /"min" and "max" are for/],
      [{ expect: 'a', max: '1.5' }, /"max" is not a whole number/],
      [{ expect: 'a', max: ' ' }, /"max" is not a whole number/],
      [{ expect: 'a', min: 0 }, /"min" of 0 always holds/],
      [{ expect: ' ' }, /the query is empty, so anything matches/],
      [{ spans: '""' }, /the query is empty, so anything matches/],
      [{ expect: 'a', min: 2, max: 1 }, /"min" is above "max"/],
      [{}, /say what is expected: expect, spans/],
    ] as const) {
      assert.match(refusal(written), why);
    }
  });
});

describe('agent-logs check: files of checks', () => {
  const read = (document: unknown): unknown => parseChecks(JSON.stringify(document), 'c.json');

  it('are read', () => {
    const errors = { name: 'n', expect: 'level:error', max: 0 };
    const checks = [errors, { run: 'b', compare: 'a' }];
    const first = { expectation: { name: 'n', type: 'records', query: 'level:error', max: 0 } };
    const second = { run: 'b', expectation: { type: 'compare', other: 'a' } };
    assert.deepEqual(read({ $schema: 'x', checks }), [first, second]);
    assert.deepEqual(read({ run: 'c', checks }), [{ run: 'c', ...first }, second]);
  });

  it('name runs relative to their folder', () => {
    const text = JSON.stringify({ run: 'acp', checks: [{ compare: 'f2f1b7a11' }] });
    assert.deepEqual(parseChecks(text, 'test/fixtures/c.json'), [
      { run: join('test', 'fixtures', 'acp'), expectation: { type: 'compare', other: 'f2f1b7a11' } },
    ]);
  });

  it('say what is wrong, and where', () => {
    const rows: readonly (readonly [unknown, RegExp])[] = [
      [[], /needs a list/],
      [{ checks: [] }, /has no checks/],
      [{ checks: ['level:error'] }, /check 1: it is not an object/],
      [{ checks: [{ expect: 'a' }, { expct: 'a' }] }, /check 2: unknown "expct"/],
      [{ checks: [{ expect: 1 }] }, /"expect" is not a text/],
      [{ checks: [{ expect: 'a' }], noProblems: 'error' }, /unknown "noProblems"\. There are run, checks\./],
      [{ checks: [{ expect: 'a', max: '0' }] }, /"max" is not a number/],
    ];
    const texts = rows.map(([document, why]) => [JSON.stringify(document), why] as const);
    for (const [text, why] of [
      ...texts,
      ['{', /^c\.json is not valid JSON/],
      ['{"checks": [{"expect": "a"}], "checks": [{"expect": "b"}]}', /^c\.json: "checks" is there twice/],
      ['{"checks": [{"expect": "a", "max": 0}, {"expect": "\\"{", "max": 0, "max": 9}]}', /"max" is there twice/],
    ] as const) {
      const said = refused(() => parseChecks(text, 'c.json'));
      assert.match(said, why);
    }
  });

  it('have a schema with the same keys', () => {
    const schema = JSON.parse(readFileSync('schemas/checks.schema.json', 'utf8')) as {
      properties: {
        checks: { items: { properties: Record<string, { enum?: string[] }>; oneOf: { required: string[] }[] } };
      };
    };
    const { properties, oneOf } = schema.properties.checks.items;
    assert.deepEqual(Object.keys(properties), ['name', 'run', ...subjects, 'min', 'max']);
    assert.deepEqual(column(oneOf, 'required').flat(), [...subjects]);
    assert.deepEqual(properties['noProblems']?.enum, [...levels]);
  });
});
