import assert from 'node:assert/strict';
import type { ComparedSide } from '../../../src/timeline/comparison';
import { describeSide } from '../../../src/timeline/comparison';
import { madeSpan as span } from '../../support/madeSpan';
import { withPauses } from '../../support/withPauses';
import type { Span } from '../../../src/timeline/span';

function side(spans: readonly Span[], more: Partial<ComparedSide> = {}): ComparedSide {
  return { head: ['Mine'], spans, now: 0, isTurn: false, ...more };
}

const usage = { inputTokens: 1000, outputTokens: 10, basis: 'turn' } as const;
const test = { parent: 'Fix it.', title: 'npm test', toolName: 'Bash' };
const failing = [
  span('Fix it.', 'turn', 0, 30_000, { retries: 2, usage, outcome: 'error', detail: 'rate limited' }),
  span('Read', 'tool', 1000, 2000, { parent: 'Fix it.', title: 'a.txt', toolName: 'Read' }),
  span('t', 'tool', 2000, 12_000, { ...test, outcome: 'error', detail: 'exit 1' }),
  span('p', 'permission', 2000, 4000, { parent: 't', title: 'npm test' }),
];
const passing = [
  span('Fix it.', 'turn', 0, 20_000, { usage }),
  span('Read', 'tool', 1000, 1100, { parent: 'Fix it.', title: 'a.txt', toolName: 'Read' }),
  span('t', 'tool', 2000, 7000, test),
];

describe('comparison', () => {
  it('has figures, tools, steps and durations in the same rows and columns on each side', async () => {
    const { text, line } = await describeSide(side(failing), side(passing));
    assert.deepEqual(text.split('\n'), [
      'Mine',
      '',
      'Turns              1',
      'Duration           30 s',
      'Model              19 s',
      'Tools              9.0 s',
      'Waited for you     2.0 s',
      'Retries            2',
      'Tool calls         2',
      'Failed tool calls  1',
      'Input tokens       1,000',
      'Output tokens      10',
      '',
      'Tool    Calls   Errors        Total',
      'Bash        1        1         10 s',
      'Read        1        0        1.0 s',
      '',
      'STEPS · First difference: step 3',
      '',
      'Turn: Fix it.',
      '  ✓ Read: a.txt',
      '  ✗ Bash: npm test · failed (exit 1)',
      '    ✓ permission: npm test',
      'End of turn: failed (rate limited)',
      '',
      'DURATIONS',
      '',
      '        30 s  Turn: Fix it.',
      '       1.0 s  ✓ Read: a.txt',
      '        10 s  ✗ Bash: npm test · failed (exit 1)',
      '       2.0 s  ✓ permission: npm test',
      '',
    ]);
    assert.equal(text.split('\n')[line], '  ✗ Bash: npm test · failed (exit 1)');
    const other = await describeSide(side(passing), side(failing));
    assert.equal(other.text.split('\n')[other.line], '  ✓ Bash: npm test');
    assert.equal(other.line, line);
  });

  it('ignores times, and the prompt of a single turn', async () => {
    const slower = passing.map((one) => ({ ...one, endedAt: (one.endedAt ?? 0) * 2 }));
    assert.match((await describeSide(side(passing), side(slower))).text, /\nSTEPS · The steps are the same\.\n/);
    const prompted = passing.map((one) => (one.kind === 'turn' ? { ...one, title: 'Fix that.' } : one));
    assert.match((await describeSide(side(passing), side(prompted))).text, /First difference: step 1\n/);
    const [one, other] = [side(passing, { isTurn: true }), side(prompted, { isTurn: true })];
    assert.match((await describeSide(one, other)).text, /The steps are the same\.\n\n {2}✓ Read: a\.txt\n/);
  });

  it('lists the tools of both sides on each, and finds a difference in length', async () => {
    const { text, line } = await describeSide(side([]), side(passing));
    assert.match(text, /\nBash {8}0 {8}0 {12}–\nRead/);
    assert.match(text, /\nInput tokens +–\nOutput tokens +–\n\n/);
    assert.equal(text.split('\n')[line], '');
    assert.match((await describeSide(side(passing.slice(0, 2)), side(passing))).text, /First difference: step 3\n/);
  });

  it('sums usage per turn, and takes the last of what counts the whole session', async () => {
    const turn = (id: string, more: Partial<Span>): Span => span(id, 'turn', 0, 1, more);
    const tokens = async (spans: readonly Span[]): Promise<readonly string[]> =>
      (await describeSide(side(spans), side([]))).text
        .split('\n')
        .flatMap((line) => /^(?:Input|Output|Total) tokens +(.*)|^(?:Context|Counted) +(.*)/.exec(line)?.slice(1) ?? [])
        .filter(Boolean);
    const context = { contextTokens: 50_000, contextWindow: 200_000 };
    const turns = [turn('1', { usage }), turn('2', { usage: { ...usage, ...context } })];
    assert.deepEqual(await tokens(turns), ['2,000', '20', '50,000 of 200,000 (25 %)']);
    const cumulative = (totalTokens: number): Partial<Span> => ({ usage: { totalTokens, basis: 'cumulative' } });
    const last = { ...cumulative(300), sessionId: 'b' };
    const sums = [turn('1', cumulative(100)), turn('2', cumulative(200)), turn('3', last)];
    assert.deepEqual(await tokens(sums), ['500', 'session so far']);
  });

  it('sorts many tools in slices', async () => {
    const tools = Array.from({ length: 800 }, (_, n) => `tool ${n % 977}${n}`);
    const many = tools.map((toolName, n) => span(`${n}`, 'tool', n, n + 1, { toolName }));
    const compare = Object.getOwnPropertyDescriptor(String.prototype, 'localeCompare') ?? {};
    const inTurns = [0];
    let isDone = false;
    const turn = (): void => {
      inTurns.push(0);
      if (!isDone) setImmediate(turn);
    };
    const slow = function (this: string, other: string): number {
      const count = (inTurns.pop() ?? 0) + 1;
      inTurns.push(count);
      for (const begun = performance.now(); count % 256 === 0 && performance.now() - begun < 3;);
      return this < other ? -1 : 1;
    };
    Object.defineProperty(String.prototype, 'localeCompare', { ...compare, value: slow });
    try {
      setImmediate(turn);
      await describeSide(side(many), side([]));
    } finally {
      Object.defineProperty(String.prototype, 'localeCompare', compare);
      isDone = true;
    }
    const total = inTurns.reduce((sum, one) => sum + one, 0);
    assert.ok(total > 800 && Math.max(...inTurns) < total / 2, `${Math.max(...inTurns)} of ${total} at once`);
  });

  it('stays bounded for very long runs', async () => {
    const title = 'long '.repeat(60);
    const spans = Array.from({ length: 10_000 }, (_, i) => span(`${i}`, 'tool', i, i + 1, { title }));
    const { text } = await withPauses(() => describeSide(side(spans), side(spans)));
    assert.match(text, /\n5000 more steps\n/);
    assert.ok(text.length < 2_500_000, String(text.length));
  });
});
