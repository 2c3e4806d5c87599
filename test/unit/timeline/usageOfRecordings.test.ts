import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Protocol } from '../../../src/wire/protocol';
import { RecordStore } from '../../../src/store/store';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { RunLog } from '../../../src/runLog/runLog';
import type { Span } from '../../../src/timeline/span';
import type { Usage } from '../../../src/work/activity';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { eventsOf } from '../../diagnosis/recordings';
import { readSaved } from '../../support/savedRun';

/** The folders whose recordings have agents that count, and how many turns with tokens there are at least. */
const recorded = [
  ['test/fixtures/streams', 'stream-json', 6],
  ['test/fixtures/transcripts', 'acp', 5],
  ['test/fixtures/acp', 'acp', 1],
] as const;

describe('usage of recorded turns', () => {
  for (const [folder, protocol, least] of recorded) {
    it(`is the sum of its parts: ${folder}`, () => {
      const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson') && !/^(?:mcp|lsp)/.test(name));
      const turns = names.flatMap((name) => spansOf(eventsOf(join(folder, name), protocol), protocol));
      const count = check(turns);
      assert.ok(count >= least, String(count));
    });
  }

  it('is the sum of its parts: saved sessions', () => {
    const folder = 'test/fixtures/saved';
    const names = readdirSync(folder).filter((name) => /\.jsonl?$/.test(name));
    assert.ok(check(names.flatMap((name) => readSaved(join(folder, name)).spans())) >= 20);
  });
});

function spansOf(events: readonly WireEvent[], protocol: Protocol): readonly Span[] {
  const log = new RunLog(new RecordStore(1e8), events[0]?.t ?? 0);
  const interpreter = interpretation(protocol, log);
  for (const event of events) interpreter.accept(event);
  return log.spans();
}

/** Returns how many spans have tokens. */
function check(spans: readonly Span[]): number {
  const counted = spans.filter(({ usage }) => (usage?.inputTokens ?? 0) > 0);
  for (const { title, usage } of counted) {
    const {
      inputTokens = 0,
      outputTokens,
      totalTokens,
      cachedTokens = 0,
      cacheWriteTokens = 0,
      reasoningTokens = 0,
    }: Partial<Usage> = usage ?? {};
    const told = `${title}: ${JSON.stringify(usage)}`;
    assert.ok(inputTokens >= cachedTokens + cacheWriteTokens, told);
    assert.ok(outputTokens === undefined || outputTokens >= reasoningTokens, told);
    if (outputTokens !== undefined && totalTokens !== undefined) {
      assert.equal(totalTokens, inputTokens + outputTokens, told);
    }
  }
  return counted.length;
}
