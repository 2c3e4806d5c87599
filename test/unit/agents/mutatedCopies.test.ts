import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/text/json';
import { documentLines } from '../../../src/agents/agents';
import { GooseRows } from '../../../src/agents/goose/rows';
import { objectOf, textOf } from '../../../src/text/json';
import { parsedJson } from '../../../src/text/jsonText';
import { partsOf } from '../../../src/agents/reading/saved/parts';
import { databaseOf } from '../../support/databases';
import { holds } from '../../support/property';
import { readSavedLines, savedLines, messagesOf } from '../../support/savedRun';
import { streamed } from '../../support/streamWire';

const copies = 25;

/** The lines that a run reads of each recording. */
function recordings(folder: string, name: RegExp): readonly (readonly [string, readonly string[]])[] {
  return readdirSync(folder)
    .filter((file) => name.test(file))
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const document = file.endsWith('.json') ? documentLines(JSON.parse(text) as unknown) : undefined;
      return [file, document?.map(({ line }) => JSON.stringify(line)) ?? savedLines(text.trim().split('\n'))];
    });
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
  return lines.flatMap((line) => textsOf(objectOf(parsedJson(line))));
}

function textsOf(line: JsonObject): readonly string[] {
  const { type, part, text, message } = line;
  if (type === 'vscode.answer') return textIn(text);
  if (type === 'goose.message') return partsOf(objectOf(message)['content']).flatMap((one) => textIn(one['text']));
  return objectOf(part)['type'] === 'text' ? textIn(objectOf(part)['text']) : [];
}

function textIn(value: unknown): readonly string[] {
  const text = textOf(value)?.trim();
  return text === undefined || text === '' ? [] : [text];
}

describe('mutated copies of saved sessions and streams', () => {
  for (const [name, lines] of recordings('test/fixtures/saved', /^(?:opencode|goose|vscode|agent-host)\b/)) {
    holds(
      `lose nothing: ${name}`,
      copies,
      fc.property(mutated(lines), (copy) => {
        const messages = messagesOf({ log: readSavedLines(copy) });
        const missing = said(copy).filter((text) => !messages.some((message) => message.includes(text)));
        assert.deepEqual(missing, []);
        for (const message of messages) {
          assert.ok(message.length < 5000);
          assert.ok(!message.startsWith('could not be read'), message);
        }
      }),
    );
  }

  for (const [name, lines] of recordings('test/fixtures/streams', /^opencode.*\.ndjson$/)) {
    holds(
      `lose nothing: ${name}`,
      copies,
      fc.property(mutated(lines), (copy) => {
        const run = streamed();
        for (const line of copy) run.send(parsedJson(line) ?? line);
        run.exit();
        const messages = new Set(run.records.map(({ message }) => message));
        for (const text of said(copy)) assert.ok(messages.has(text), text);
      }),
    );
  }

  holds("lose no text of whole rows: goose's database", copies, gooseRows());
});

/** Rows with odd values. */
function gooseRows(): fc.IRawProperty<unknown> {
  const text = (content: string): string => JSON.stringify([{ type: 'text', text: content }]);
  const content = fc.oneof(fc.string().map(text), fc.json(), fc.string(), fc.constant(null));
  const odd = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
  const row = fc.record({
    role: fc.oneof(fc.constantFrom('user', 'assistant'), odd),
    data: content,
    bytes: odd,
    created_timestamp: fc.oneof(fc.nat(), odd),
    message_id: odd,
    metadata_json: fc.oneof(fc.json(), odd),
  });
  return fc.asyncProperty(fc.array(row, { maxLength: 10 }), async (rows) => {
    const database = databaseOf((sql, [, after]) => {
      if (sql.includes('pragma_table_info')) return [{ name: 'metadata_json' }, { name: 'message_id' }];
      if (!sql.includes('from messages')) return [{ id: 's', created: 1_795_514_400_000 }];
      return rows.map((one, id) => ({ ...one, id })).filter(({ id }) => id > Number(after));
    });
    const reader = new GooseRows('s');
    const lines: string[] = [];
    for (let read = await reader.read(database); read; read = await reader.read(database)) {
      lines.push(...read.map(({ line }) => JSON.stringify(line)));
    }
    assert.equal(lines.length, rows.length + 1);
    const messages = messagesOf({ log: readSavedLines(lines) });
    const missing = said(lines).filter((one) => !messages.some((message) => message.includes(one.slice(0, 1000))));
    assert.deepEqual(missing, []);
    assert.ok(messages.every((message) => !message.startsWith('could not be read')));
  });
}
