import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TimeLimit as Limit } from '../../../src/redact/ownPatterns';
import { compilePattern, OwnPatterns, stepBound } from '../../../src/redact/ownPatterns';
import { Redactor } from '../../../src/redact/redactor';
import { TimeLimit } from '../../../src/machine/timeLimit';
import { holds } from '../../support/property';

const timeLimit = new TimeLimit();
/** Shorter than in the product, so that the tests are, too. */
const limit: Limit = (work) => timeLimit.run(work, 60);
const endless = /(a+)+$/u;
const hostile = `${'a'.repeat(40)}!`;

describe('own patterns', () => {
  const timedOut: string[] = [];
  let own: OwnPatterns;

  beforeEach(() => {
    timedOut.length = 0;
    own = new OwnPatterns([/ACME-\d+/u, endless, /CUST-\d+/u], {
      limit,
      onTimeout: ({ source }) => timedOut.push(source),
    });
  });

  it('stop a pattern that backtracks without end, switch it off, and go on with the others', () => {
    const redactor = new Redactor({ patterns: own });
    assert.equal(redactor.line(hostile), '[redacted]', 'the text it was stuck on is hidden');
    assert.deepEqual(timedOut, [endless.source]);
    assert.equal(redactor.line(`${hostile} ACME-1 CUST-2`), `${hostile} [redacted] [redacted]`);
    assert.equal(new Redactor({ patterns: own }).line(hostile), hostile, 'it is off for every redactor that shares it');
    assert.deepEqual(timedOut, [endless.source]);
  });

  it('hide only the string that a pattern was stuck on, so that JSON stays JSON', () => {
    const line = own.redact(JSON.stringify({ method: 'log', params: { a: hostile, b: 'ACME-1', c: 'fine' } }));
    assert.deepEqual(JSON.parse(line), { method: 'log', params: { a: '[redacted]', b: '[redacted]', c: 'fine' } });
  });

  it('are empty once all of them are off, so that lines take the short way again', () => {
    const only = new OwnPatterns([endless], { limit });
    assert.equal(only.isEmpty, false);
    only.redact(hostile);
    assert.equal(only.isEmpty, true);
  });

  it('are guarded only if they can take long', () => {
    let guarded = 0;
    const counting = (patterns: readonly RegExp[]): OwnPatterns =>
      new OwnPatterns(patterns, {
        limit: (work) => {
          guarded++;
          return { value: work() };
        },
      });
    const cheap = counting([/ACME-[0-9]{8}/u, /\bint-(prod|dev)-\w+/u, /[\w.]+@corp\.example/u]);
    assert.equal(cheap.redact('mail me@corp.example of int-prod-7'), 'mail [redacted] of [redacted]');
    assert.equal(guarded, 0);
    cheap.redact('x'.repeat(1000));
    assert.equal(guarded, 1, 'a long line can take long with any of them');
    counting([endless]).redact('short');
    assert.equal(guarded, 2);
  });

  it('hide a text that a pattern cannot be tried on', () => {
    const overflowing = new OwnPatterns([/(?:a|b)*c/u]);
    const text = 'ab'.repeat(8_000_000);
    assert.equal(overflowing.redact(text), '[redacted]');
  });

  it('join matches that overlap', () => {
    assert.equal(new OwnPatterns([/one two/u, /two three/u]).redact('one two three four'), '[redacted] four');
  });
});

describe('compiling a pattern', () => {
  it('uses the u flag, and falls back for what is only valid without it', () => {
    assert.equal(new OwnPatterns([compilePattern(String.raw`Kunde-\p{L}+`)]).redact('Kunde-Ödön!'), '[redacted]!');
    assert.equal(new OwnPatterns([compilePattern(String.raw`ACME\-\d`)]).redact('ACME-7'), '[redacted]');
  });

  it('refuses what is not valid, or would silently match nothing', () => {
    for (const source of ['[unclosed', String.raw`\p{Nonsense}`, String.raw`\p{L}\-`]) {
      assert.throws(() => compilePattern(source), SyntaxError, source);
    }
  });
});

/** A pattern as a tree, whose matching can be counted. */
type Part =
  | { readonly type: 'atom'; readonly char: string }
  | {
      readonly type: 'repeat';
      readonly char: string;
      readonly least: number;
      readonly most: number;
      readonly text: string;
    }
  | { readonly type: 'group'; readonly alternatives: readonly (readonly Part[])[] };

const charArbitrary = fc.constantFrom('a', 'b', '.');
const quantifiers: readonly (readonly [string, number, number])[] = [
  ['*', 0, Infinity],
  ['+', 1, Infinity],
  ['?', 0, 1],
  ['{2}', 2, 2],
  ['{1,3}', 1, 3],
  ['{2,}', 2, Infinity],
  ['*?', 0, Infinity],
];
const { alternatives: alternativesArbitrary } = fc.letrec<{ alternatives: readonly (readonly Part[])[]; part: Part }>(
  (tie) => ({
    part: fc.oneof(
      { depthSize: 'small' },
      charArbitrary.map((char): Part => ({ type: 'atom', char })),
      fc
        .tuple(charArbitrary, fc.constantFrom(...quantifiers))
        .map(([char, [text, least, most]]): Part => ({ type: 'repeat', char, least, most, text })),
      tie('alternatives').map((alternatives): Part => ({ type: 'group', alternatives })),
    ),
    alternatives: fc.array(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  }),
);

function sourceOf(alternatives: readonly (readonly Part[])[]): string {
  const text = (part: Part): string => {
    if (part.type === 'group') return `(?:${sourceOf(part.alternatives)})`;
    return part.type === 'atom' ? part.char : part.char + part.text;
  };
  return alternatives.map((parts) => parts.map(text).join('')).join('|');
}

/** The steps of a matcher that tries every way through the pattern, at every place of the text. */
function stepsOf(alternatives: readonly (readonly Part[])[], text: string): number {
  let steps = 0;
  const isAt = (char: string, at: number): boolean => at < text.length && (char === '.' || char === text[at]);
  const tryAll = (options: readonly (readonly Part[])[], at: number, then: (at: number) => void): void => {
    for (const parts of options) sequence(parts, at, then);
  };
  const sequence = ([first, ...rest]: readonly Part[], at: number, then: (at: number) => void): void => {
    steps++;
    if (first === undefined) return then(at);
    const goOn = (next: number): void => sequence(rest, next, then);
    if (first.type === 'group') return tryAll(first.alternatives, at, goOn);
    if (first.type === 'atom') return isAt(first.char, at) ? goOn(at + 1) : undefined;
    for (let times = 0; times <= first.most; times++) {
      if (times >= first.least) goOn(at + times);
      steps++;
      if (!isAt(first.char, at + times)) break;
    }
  };
  for (let at = 0; at <= text.length; at++) tryAll(alternatives, at, () => undefined);
  return steps;
}

describe('the bound of the steps of a pattern', () => {
  holds(
    'is never lower than what trying every way takes, but for a constant',
    500,
    fc.property(alternativesArbitrary, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }), (tree, text) => {
      const bound = stepBound(new RegExp(sourceOf(tree), 'u'))(text.length);
      const steps = stepsOf(tree, text);
      assert.ok(steps <= bound * 4, `${sourceOf(tree)} takes ${steps} steps, not ${bound}`);
    }),
  );

  it('is infinite if the cost is not known', () => {
    for (const pattern of [/(a+)+$/u, /(?:ab)*/u, /(a|b){2,9}/u, /(?=a+)b/u, /(?<!a)b/u, /(a+)\1/u, /(?<x>a)\k<x>/u]) {
      assert.equal(stepBound(pattern)(10), Infinity, pattern.source);
    }
    assert.equal(stepBound(/a/)(10), Infinity, 'another syntax');
  });

  it('takes escapes, classes and names of groups for what they are', () => {
    for (const pattern of [/\(a+\)+/u, /[)(*+]{3}\p{L}+/u, /(?<id>\d{8})-[\]*]+/u, /\u{1F600}?/u]) {
      assert.ok(stepBound(pattern)(100) < 10_000_000, pattern.source);
    }
  });
});
