import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { ExportResult } from '../../../../src/otlp/engine/exportRuns';
import { OwnPatterns } from '../../../../src/redact/ownPatterns';
import { verbatim } from '../../../../src/text/translator';
import { Exported } from '../../../support/exportedRuns';
import { forks } from '../../../support/forkLines';
import { makeSavedHome } from '../../../support/savedHome';
import { useFolder } from '../../../support/tempFolder';

const claude = '.claude/projects/-home-me-project/0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11.jsonl';
const codex = '.codex/sessions/2026/11/22/rollout-2026-11-22T09-10-35-01a20285-8ad1-7621-822c-2b296e55f00b.jsonl';
const few = { maxItems: 7 };
const full = { type: 'refused', reason: verbatim('HTTP 507 no space'), status: 507 } as const;

describe('export of past runs', () => {
  let home: string;
  let exported: Exported;
  const folder = useFolder();
  beforeEach(() => {
    home = folder.path;
    exported = new Exported();
  });

  /** Writes a session of Claude Code. @param at last change, in seconds since the epoch */
  function write(lines: readonly string[], at: number, path = claude): void {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    utimesSync(file, at, at);
  }

  function sent({ sessions, unchanged, left, rejected }: ExportResult): readonly number[] {
    return [sessions, unchanged, left, rejected];
  }

  const isTurn = ({ attributes }: ReadableSpan): boolean => attributes['agent_logs.kind'] === 'turn';

  it('sends everything of all sessions once, with the same IDs to another collector', async () => {
    makeSavedHome(home);
    const result = await exported.exportHome(home);
    assert.deepEqual(sent(result), [14, 0, 0, 0]);
    assert.deepEqual([result.records, result.spans], [exported.records.length, exported.spans.length]);
    assert.ok(result.records > 200 && result.spans > 50);
    assert.equal(new Set(exported.ids).size, exported.ids.length);
    const again = await exported.exportHome(home);
    assert.deepEqual(sent(again), [0, 14, 0, 0]);
    assert.equal(exported.requests, 2);
    const other = new Exported();
    await other.exportHome(home);
    assert.deepEqual(other.ids, exported.ids);
  });

  it('puts the records of a turn into its trace', async () => {
    makeSavedHome(home);
    await exported.exportHome(home);
    const traces = new Set(exported.spans.map((span) => span.spanContext().traceId));
    const inTurns = exported.records.filter(({ spanContext }) => traces.has(spanContext?.traceId ?? ''));
    assert.ok(inTurns.length > exported.records.length / 2, `${inTurns.length} of ${exported.records.length}`);
  });

  const growing = {
    'claude-terminal': claude,
    'codex-tools': codex,
    'qwen-terminal': '.qwen/projects/-home-dev-project/chats/bcf1ca69-97af-4452-a485-97b1e62cc8d2.jsonl',
    'pi-terminal':
      '.pi/agent/sessions/--home-dev-project--/2026-11-22T09-42-35-675Z_01a202a2-d59a-7042-9385-795460f299be.jsonl',
  };
  for (const [name, place] of Object.entries(growing)) {
    it(`sends the rest of a session that grew, again and again: ${name}`, async () => {
      const lines = fixture(name);
      const whole = new Exported();
      write(lines, 1_795_400_000, place);
      await whole.exportHome(home);
      for (const count of [1, 2, 3, 5, 8, 13, 21, lines.length].filter((one) => one <= lines.length)) {
        write(lines.slice(0, count), 1_795_300_000 + count, place);
        // At the end of the file, it is as if the agent had been killed there.
        const result = await exported.exportHome(home);
        assert.deepEqual([result.left, result.rejected], [0, 0]);
      }
      assert.equal(new Set(exported.ids).size, exported.ids.length, 'nothing twice');
      const contents = new Set(exported.contents);
      const lost = whole.contents.filter((one) => !contents.has(one) && !/"agent_logs.outcome"/.test(one));
      assert.deepEqual(lost, [], 'nothing lost');
      const numbers = (one: Exported): readonly string[] => one.spans.map((span) => span.spanContext().spanId).sort();
      assert.deepEqual(numbers(exported), numbers(whole));
    });
  }

  it('sends the open turn of a session when it has ended', async () => {
    const lines = fixture('claude-terminal');
    const seconds = exported.now / 1000;
    write(lines.slice(0, 4), seconds - 60);
    const first = await exported.exportHome(home);
    assert.deepEqual(sent(first), [1, 0, 0, 0]);
    assert.deepEqual(exported.spans.filter(isTurn), []);
    write(lines, seconds - 30);
    exported.now += 3_600_000;
    await exported.exportHome(home);
    assert.ok(exported.spans.some(isTurn));
    assert.equal(new Set(exported.ids).size, exported.ids.length);
  });

  it('leaves out what a fork has from another session', async () => {
    const fork = forks['Claude Code, with a mark in each line'] ?? [];
    const lines = fork.map((line) => JSON.stringify(line));
    write(lines, 1_795_400_000, claude);
    await exported.exportHome(home);
    const bodies = exported.records.map(({ body }) => body as string).join('\n');
    assert.match(bodies, /Go another way/);
    assert.doesNotMatch(bodies, /Plan the shop/);
    const turns = exported.spans.filter(isTurn).map(({ attributes }) => attributes['gen_ai.usage.input_tokens']);
    assert.deepEqual(turns, [7]);
  });

  it("redacts with the user's patterns", async () => {
    makeSavedHome(home);
    const redaction = { patterns: new OwnPatterns([/parser|bash/g]) };
    await exported.exportHome(home, { redaction });
    const all = JSON.stringify([exported.contents, exported.spans.map(({ resource }) => resource.attributes)]);
    assert.doesNotMatch(all, /parser|bash/);
    assert.match(all, /It is a small/);
  });

  it('loses nothing and sends nothing twice, wherever the collector is full', async () => {
    write(fixture('claude-terminal'), 1_795_400_000);
    write(fixture('codex-tools'), 1_795_400_000, codex);
    const whole = new Exported();
    await whole.exportHome(home);
    let runs = 0;
    for (let result: ExportResult | undefined; result?.left !== 0; runs++) {
      // One request is taken, the next refused.
      exported.results = [{ type: 'sent' }, full];
      result = await exported.exportHome(home, few);
      if (result.left > 0) assert.equal(result.reason, full.reason);
    }
    assert.ok(runs > 5, String(runs));
    assert.deepEqual([...exported.ids].sort(), [...whole.ids].sort());
  });

  it('keeps a session for the next time if the collector takes nothing of it, and goes on with others', async () => {
    makeSavedHome(home);
    exported.results = [{ type: 'refused', reason: verbatim('too old') }];
    const first = await exported.exportHome(home, few);
    assert.equal(first.left, 1);
    const ids = new Set(exported.ids);
    const second = await exported.exportHome(home);
    assert.deepEqual(sent(second), [1, 13, 0, 0]);
    assert.equal(new Set(exported.ids).size, exported.ids.length);
    assert.ok(exported.ids.length > ids.size);
  });

  it('stops between requests if the user cancels', async () => {
    makeSavedHome(home);
    const { sendSpans: take } = exported.options;
    const sendSpans: typeof take = (items) => {
      exported.stopping.abort();
      return take(items);
    };
    const result = await exported.exportHome(home, { ...few, sendSpans });
    assert.ok(result.isCancelled && result.left > 0);
    exported.stopping = new AbortController();
    await exported.exportHome(home);
    const whole = new Exported();
    await whole.exportHome(home);
    assert.deepEqual([...exported.ids].sort(), [...whole.ids].sort());
  });

  it('says what it could not read, and goes on', async () => {
    makeSavedHome(home);
    const onProgress = (done: number): void => (done === 0 ? rmSync(join(home, claude)) : undefined);
    const result = await exported.exportHome(home, { onProgress });
    assert.equal(result.left, 1);
    assert.match(exported.problems.join(), /6d2f2f1b7a11\.jsonl can't be read/);
  });
});

function fixture(name: string): readonly string[] {
  return readFileSync(`test/fixtures/saved/${name}.jsonl`, 'utf8').trimEnd().split('\n');
}
