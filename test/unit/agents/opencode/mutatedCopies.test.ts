import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isObject, objectOf, textOf } from '../../../../src/log/json';
import { parsedJson } from '../../../../src/log/jsonText';
import { StreamJsonInterpreter } from '../../../../src/protocols/streams/streamJsonInterpreter';
import { readSavedLines } from '../../../support/savedRun';
import { StreamWire } from '../../../support/streamWire';

const copies = 500;

function files(folder: string, name: RegExp): readonly (readonly [string, readonly string[]])[] {
  return readdirSync(folder)
    .filter((file) => name.test(file))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8').trim().split('\n')]);
}

/** The lines cut off, in another order, or several times; the last may be cut in the middle. */
function mutated(lines: readonly string[]): fc.Arbitrary<readonly string[]> {
  const order = fc.array(fc.nat({ max: lines.length - 1 }), { maxLength: lines.length * 2 });
  const cut = fc.nat({ max: lines.length }).map((end) => [...lines.keys()].slice(0, end));
  const twice = fc.nat({ max: lines.length }).map((at) => [...lines.keys(), ...[...lines.keys()].slice(at)]);
  return fc.tuple(fc.oneof(order, cut, twice), fc.double({ min: 0.1, max: 1, noNaN: true })).map(([at, part]) =>
    at.map((index, place) => {
      const line = lines[index] ?? '';
      return place === at.length - 1 ? line.slice(0, Math.ceil(line.length * part)) : line;
    }),
  );
}

/** The texts of the agent in whole lines. */
function said(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const value = parsedJson(line);
    const part = objectOf(isObject(value) ? value['part'] : undefined);
    return part['type'] === 'text' ? (textOf(part['text']) ?? []) : [];
  });
}

describe("mutated copies of OpenCode's sessions and streams", () => {
  for (const [name, lines] of files('test/fixtures/saved', /^opencode.*\.jsonl$/)) {
    it(`lose nothing: ${name}`, () => {
      fc.assert(
        fc.property(mutated(lines), (copy) => {
          const records = readSavedLines(copy).store.query();
          const messages = new Set(records.map(({ message }) => message));
          for (const text of said(copy)) assert.ok(messages.has(text), text);
          for (const { message } of records) {
            assert.ok(message.length < 5000);
            assert.ok(!message.startsWith('could not be read'), message);
          }
        }),
        { numRuns: copies },
      );
    });
  }

  for (const [name, lines] of files('test/fixtures/streams', /^opencode.*\.ndjson$/)) {
    it(`lose nothing: ${name}`, () => {
      fc.assert(
        fc.property(mutated(lines), (copy) => {
          const run = new StreamWire((sink) => new StreamJsonInterpreter(sink));
          for (const line of copy) run.send(parsedJson(line) ?? line);
          run.exit();
          const messages = new Set(run.records.map(({ message }) => message));
          for (const text of said(copy)) assert.ok(messages.has(text), text);
        }),
        { numRuns: copies },
      );
    });
  }
});
