import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { StreamJsonInterpreter } from '../../../../src/protocols/streams/streamJsonInterpreter';
import { holds } from '../../../support/property';
import { StreamWire } from '../../../support/streamWire';

const folder = 'test/fixtures/streams';

describe('streams whose lines are lost, repeated or in another order', () => {
  for (const agent of ['kimi', 'cursor', 'goose']) {
    const files = readdirSync(folder)
      .filter((name) => name.startsWith(`${agent}-`) && name.endsWith('.ndjson'))
      .map((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));

    holds(
      `of ${agent} keep every line`,
      500,
      fc.property(
        fc.constantFrom(...files).chain((lines) => fc.array(fc.constantFrom(...lines), { maxLength: 40 })),
        fc.nat(300),
        (lines, cut) => {
          const run = new StreamWire((sink) => new StreamJsonInterpreter(sink));
          const sent = [...lines, (lines.at(-1) ?? '').slice(0, cut)].filter((line) => line.trim() !== '');
          for (const line of sent) run.line(line);
          run.quiet().exit();
          const kept = new Set(
            run.records.flatMap(({ seq, message }) => [...(run.log.store.raw(seq) ?? '').split('\n'), message]),
          );
          assert.deepEqual(
            sent.filter((line) => !kept.has(line) && !isSilent(line)),
            [],
          );
          assert.equal(run.isWaiting, false);
        },
      ),
    );
  }

  it('of Cursor CLI have a message once, whether its parts precede it or not', () => {
    const part = (text: string, fields: object): string =>
      JSON.stringify({
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'text', text }] },
        ...fields,
      });
    const start = '{"type":"system","subtype":"init","apiKeySource":"env","cwd":"/p","session_id":"s1","model":"m"}';
    const run = new StreamWire((sink) => new StreamJsonInterpreter(sink)).line(start);
    const session = { session_id: 's1' };
    for (const text of ['Hel', 'lo.']) run.line(part(text, { ...session, timestamp_ms: 1 }));
    run.line(part('Hello.', { ...session, timestamp_ms: 2, model_call_id: 'c' }));
    run.line(part('Good', { ...session, timestamp_ms: 3 })).line(part('bye.', { ...session, timestamp_ms: 4 }));
    run.line(part('Goodbye.', session)).line(part('Really.', session)).quiet();
    assert.deepEqual(
      run.records.filter(({ logger }) => logger === 'agent').map(({ message }) => message),
      ['Hello.', 'Goodbye.', 'Really.'],
    );
  });
});

/** Lines that only repeat others, or have nothing to show. */
function isSilent(line: string): boolean {
  return /"type":"(?:assistant|thinking)"/.test(line);
}
