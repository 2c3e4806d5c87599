import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { recogniseAgent } from '../../../../../src/agents/reading/recognise';
import { parsedJson } from '../../../../../src/text/jsonText';
import { holds } from '../../../../support/property';
import { streamed } from '../../../../support/streamWire';

const folder = 'test/fixtures/streams';
const agents = ['copilot', 'pi', 'cline', 'kimi', 'droid', 'letta', 'continue', 'auggie', 'cursor', 'goose'];

function streamsOf(agent: string): string[][] {
  const files = readdirSync(folder).filter((name) => name.startsWith(`${agent}-`) && name.endsWith('.ndjson'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
}

/** A stream that was cut, or whose lines are missing, repeated or in another order. */
function changed(lines: readonly string[]): fc.Arbitrary<string[]> {
  const at = fc.nat({ max: lines.length - 1 });
  const line = (index: number): string => lines[index] ?? '';
  return fc.oneof(
    fc
      .tuple(at, fc.nat())
      .map(([index, to]) => [...lines.slice(0, index), line(index).slice(0, to % line(index).length)]),
    at.map((from) => lines.slice(from)),
    fc.shuffledSubarray([...lines]),
    fc.array(at, { minLength: 1, maxLength: 60 }).map((indexes) => indexes.map(line)),
    fc
      .tuple(at, at)
      .map(([a, b]) => lines.map((each, index) => (index === a ? line(b) : index === b ? line(a) : each))),
    at.map((index) => lines.flatMap((each, i) => (i >= index ? [each, each] : [each]))),
  );
}

describe('stream-json interpreter: changed streams', () => {
  for (const agent of agents) {
    const copy = fc.constantFrom(...streamsOf(agent)).chain(changed);

    holds(
      `never fail, and keep each line: ${agent}`,
      100,
      fc.property(copy, (lines) => {
        const wire = streamed();
        for (const each of lines) wire.line(each);
        wire.exit();
        assert.equal(wire.isWaiting, false);
        assert.deepEqual(wire.log.requests, []);
        const kept = new Set(
          wire.records.flatMap(({ seq, message }) => [...(wire.log.store.raw(seq) ?? '').split('\n'), message]),
        );
        const lost = lines.filter((each) => each.trim() !== '' && !kept.has(each) && !isSilent(agent, each));
        assert.deepEqual(lost, []);
        assert.ok(wire.records.length <= 4 * lines.length + 20);
      }),
    );

    // Most of its events are Claude Code's.
    if (agent === 'cursor') continue;

    holds(
      `are not taken for another agent's: ${agent}`,
      50,
      fc.property(copy, (lines) => {
        const found = recogniseAgent(lines.map(parsedJson));
        assert.ok(found === undefined || found.agent === agent, found?.agent);
      }),
    );
  }

  it('have a message once: Cursor CLI, whether its parts precede it or not', () => {
    const part = (text: string, fields: object = {}): object => {
      const message = { role: 'assistant', content: [{ type: 'text', text }] };
      return { type: 'assistant', session_id: 's1', message, ...fields };
    };
    const about = { apiKeySource: 'env', cwd: '/p', session_id: 's1', model: 'm' };
    const run = streamed({ type: 'system', subtype: 'init', ...about });
    for (const text of ['Hel', 'lo.']) run.send(part(text, { timestamp_ms: 1 }));
    run.send(part('Hello.', { timestamp_ms: 2, model_call_id: 'c' }));
    run.sends(part('Good', { timestamp_ms: 3 }), part('bye.', { timestamp_ms: 4 }));
    const { records } = run.sends(part('Goodbye.'), part('Really.')).quiet();
    const said = records.filter(({ logger }) => logger === 'agent').map(({ message }) => message);
    assert.deepEqual(said, ['Hello.', 'Goodbye.', 'Really.']);
  });
});

/** Lines that only repeat others, or have nothing to show. */
function isSilent(agent: string, line: string): boolean {
  return ['kimi', 'cursor', 'goose'].includes(agent) && /"type":"(?:assistant|thinking)"/.test(line);
}
