import assert from 'node:assert/strict';
import { costJumps, jumpText } from '../../../src/timeline/costJumps';
import type { Span } from '../../../src/timeline/span';
import type { Usage } from '../../../src/work/activity';
import { recordedSpans } from '../../support/recordedSpans';

const minute = 60_000;

/** A session whose turns start one after the other, with their parts. */
class Session {
  readonly spans: Span[] = [];
  private at = 0;

  constructor(private readonly sessionId = 's') {}

  /** @param parts the kinds of the turn's parts, in order */
  turn(usage: Partial<Usage>, more: Partial<Span> = {}, parts: readonly Span['kind'][] = []): this {
    const id = `${this.sessionId}${this.spans.length}`;
    const place = { sessionId: this.sessionId, firstSeq: 1, lastSeq: 2, outcome: 'ok' } as const;
    const times = { startedAt: this.at + 1000, endedAt: this.at + 30_000 };
    this.spans.push({ id, kind: 'turn', title: id, ...place, ...times, usage: { basis: 'turn', ...usage }, ...more });
    for (const [index, kind] of parts.entries()) {
      this.spans.push({ id: `${id}.${index}`, parent: id, kind, title: kind, ...place, ...times });
    }
    this.at = times.endedAt;
    return this;
  }

  pause(minutes: number): this {
    this.at += minutes * minute;
    return this;
  }

  /** The explanations, by the turn's number among the turns. */
  get texts(): Readonly<Record<number, string>> {
    const jumps = costJumps(this.spans);
    const turns = this.spans.filter(({ kind }) => kind === 'turn');
    return Object.fromEntries(
      turns.flatMap(({ id }, index) => {
        const jump = jumps.get(id);
        return jump ? [[index + 1, jumpText(jump)]] : [];
      }),
    );
  }
}

/** A request that reads 98 % of a context of 100,000 tokens from the cache. */
const cheap = { inputTokens: 100_000, cachedTokens: 98_000, outputTokens: 500, contextTokens: 100_500, costUsd: 0.06 };
/** The same without a cache. */
const lost = { ...cheap, cachedTokens: 0, cacheWriteTokens: 99_000, contextTokens: 101_000, costUsd: 0.45 };

const tools = (count: number): readonly Span['kind'][] => Array.from({ length: count }, () => 'tool');

describe('costs that jump', () => {
  it('name a change of model only between two models, not between two names of one', () => {
    const cause = (to: string): string | undefined =>
      new Session().turn(cheap, { model: 'gpt-5' }).turn(cheap, { model: 'gpt-5' }).turn(lost, { model: to }).texts[3];
    assert.match(cause('gpt-5-mini') ?? '', /a change of model from gpt-5 to gpt-5-mini/);
    assert.doesNotMatch(cause('openai/gpt-5-2025-08-07') ?? 'model', /model/);
  });

  it('are explained by a cache that a pause outlived', () => {
    const session = new Session().turn(cheap).turn(cheap).pause(47).turn(lost).turn(cheap);
    assert.deepEqual(session.texts, { 3: 'Cost 7.5 × that of earlier turns: cache lost after a pause of 47 min' });
    assert.match(new Session().turn(cheap).pause(200).turn(lost).texts[2] ?? '', /a pause of 3 h 20 min$/);
  });

  it('are explained by another model, a compaction, or several causes', () => {
    const changed = new Session().turn(cheap, { model: 'haiku' }).turn(lost, { model: 'opus' });
    assert.match(changed.texts[2] ?? '', /: cache lost after a change of model from haiku to opus$/);
    const compacted = new Session().turn(cheap).turn({ ...lost, contextTokens: 20_000 }, {}, ['tool', 'compaction']);
    assert.match(compacted.texts[2] ?? '', /: cache lost after compaction$/);
    const later = new Session().turn(cheap, {}, ['compaction']).pause(6).turn(lost);
    assert.match(later.texts[2] ?? '', /: cache lost after compaction, a pause of 6 min$/);
    const goesOn = new Session().turn(cheap, {}, ['compaction', 'tool']).pause(6).turn(lost);
    assert.match(goesOn.texts[2] ?? '', /: cache lost after a pause of 6 min$/);
  });

  it("name what isn't visible if nothing else explains a lost cache", () => {
    const { texts } = new Session().turn(cheap).pause(4).turn(lost);
    assert.match(texts[2] ?? '', /: cache lost \(the tools or the system prompt may have changed\)$/);
  });

  it('are not blamed on the cache if the input is new', () => {
    const read = { ...cheap, inputTokens: 180_000, cachedTokens: 98_000, contextTokens: 182_000, costUsd: 0.4 };
    const { texts } = new Session().turn(cheap).pause(30).turn(read);
    assert.match(texts[2] ?? '', /: 81\.5k tokens added to the context$/);
    const never = { inputTokens: 100_000, cachedTokens: 0, costUsd: 0.06 };
    const expensive = { ...never, costUsd: 0.6 };
    const uncached = new Session().turn(never).turn(never).pause(30).turn(expensive);
    assert.deepEqual(uncached.texts, { 3: 'Cost 10 × that of earlier turns: no reason seen' });
  });

  it('are explained by more work', () => {
    const much = { ...cheap, inputTokens: 4_000_000, cachedTokens: 3_990_000, outputTokens: 21_000, costUsd: 2 };
    const session = new Session().turn(cheap, {}, tools(2)).turn(cheap, {}, tools(4));
    session.turn(much, { retries: 2 }, [...tools(38), 'subagent', 'subagent']);
    assert.deepEqual(session.texts, {
      3: 'Cost 33 × that of earlier turns: 2 subagents, 38 tool calls (usually 4), 21.0k output tokens (usually 500), 2 retries',
    });
  });

  it('are found by uncached input if the agent reports no cost', () => {
    const { costUsd: _cheap, contextTokens: _before, ...before } = cheap;
    const { costUsd: _lost, contextTokens: _after, ...after } = lost;
    const session = new Session().turn(before).turn(before).pause(90).turn(after);
    assert.deepEqual(session.texts, {
      3: 'Uncached input 50 × that of earlier turns: cache lost after a pause of 1 h 30 min',
    });
    const unknown = new Session().turn({ ...before, basis: 'unknown' }).turn({ ...after, basis: 'unknown' });
    assert.deepEqual(unknown.texts, {});
  });

  it('are those of the same session only', () => {
    const [one, other] = [new Session('a').turn(cheap), new Session('b').turn(lost)];
    assert.equal(costJumps([...one.spans, ...other.spans]).size, 0);
  });

  it('are explained in a recorded session of Codex that compacts its context by itself', () => {
    const spans = recordedSpans('test/fixtures/acp/codex-v2-auto-compaction.ndjson', 'acp');
    assert.equal(costJumps(spans).size, 0);
    // The recorded model is a small one.
    const scaled = spans.map((span): Span => {
      const { inputTokens: input = 0, cachedTokens: cached = 0, contextTokens: context = 0 } = span.usage ?? {};
      const counts = { inputTokens: input * 100, cachedTokens: cached * 100, contextTokens: context * 100 };
      return span.usage ? { ...span, usage: { ...span.usage, ...counts } } : span;
    });
    const texts = Array.from(costJumps(scaled).values(), (jump) => jumpText(jump));
    assert.deepEqual(texts, ['Uncached input 5.0 × that of earlier turns: compaction']);
  });

  it('are no jumps if they are small, the first, alike, or counted otherwise', () => {
    const small = new Session().turn({ costUsd: 0.001 }).turn({ costUsd: 0.001 }).turn({ costUsd: 0.02 });
    const alike = new Session().turn(cheap).turn({ ...cheap, costUsd: 0.15 });
    const first = new Session().turn(lost).turn(cheap).turn(cheap);
    const total = new Session().turn({ costUsd: 0.1, basis: 'cumulative' }).turn({ costUsd: 1, basis: 'cumulative' });
    const second = new Session().turn({ costUsd: 0.1 }).turn({ costUsd: 1 });
    const free = new Session().turn({ costUsd: 0 }).turn({ costUsd: 1 }).turn({});
    for (const { texts } of [small, alike, first, total, second, free]) assert.deepEqual(texts, {});
  });

  it('are compared with the usual turn, not with the cheapest or an earlier jump', () => {
    const session = new Session().turn(cheap).turn({ ...cheap, costUsd: 0.001 });
    session.turn(cheap).turn(cheap);
    session.pause(60).turn(lost).turn(cheap).pause(60).turn(lost);
    assert.deepEqual(Object.keys(session.texts), ['5', '7']);
  });
});
