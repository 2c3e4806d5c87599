import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { documentLines } from '../../../../../src/agents/agents';
import { holds } from '../../../../support/property';
import { readSavedLines } from '../../../../support/savedRun';

const folder = 'test/fixtures/saved';
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
const file = fc.constantFrom(...files);

/** A line of a real file with one of its values replaced. */
const oddLine = fc.tuple(file, fc.nat(), fc.nat(), fc.jsonValue()).map(([lines, at, field, value]) => {
  const line = JSON.parse(lines[at % lines.length] ?? '{}') as Record<string, unknown>;
  const names = Object.keys(line);
  const name = names[field % names.length] ?? 'type';
  const inner = line[name];
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  if (!isObject || field % 2 === 0) return JSON.stringify({ ...line, [name]: value });
  const key = Object.keys(inner)[field % Math.max(1, Object.keys(inner).length)] ?? 'x';
  return JSON.stringify({ ...line, [name]: { ...inner, [key]: value } });
});

describe('saved sessions that are damaged or from other versions', () => {
  holds(
    'never fail to read, and keep their records bounded',
    150,
    fc.property(file, fc.array(oddLine, { maxLength: 20 }), (lines, odd) => {
      const log = readSavedLines([...lines.slice(0, 3), ...odd, ...lines.slice(3, 8)]);
      for (const { message } of log.store.query()) {
        assert.ok(message.length < 5000);
        assert.ok(!message.startsWith('could not be read'), message);
      }
    }),
  );

  holds(
    'can be cut anywhere',
    100,
    fc.property(file, fc.nat(), (lines, at) => {
      const text = lines.join('\n');
      const log = readSavedLines(text.slice(0, at % text.length).split('\n'));
      assert.ok(log.store.query().every(({ message }) => !message.startsWith('could not be read')));
    }),
  );

  holds(
    'have no time of their own reading',
    60,
    fc.property(file, fc.nat(), (lines, from) => {
      const log = readSavedLines(lines.slice(from % lines.length));
      const times = log.store.query().map(({ receivedAt }) => receivedAt);
      assert.ok(times.every((time) => time === 1 || time > 1.7e12));
      // Once a line has a time, all later ones have.
      assert.ok(times.every((time, index) => index === 0 || time !== 1 || times[index - 1] === 1));
    }),
  );

  holds(
    'in any JSON document are lines or nothing',
    200,
    fc.property(fc.jsonValue(), (value) => {
      const lines = documentLines({ sessionId: 's', origin: {}, messages: value });
      assert.equal(lines === undefined, !Array.isArray(value));
      assert.equal(documentLines(value), undefined);
    }),
  );

  it('show a record of an unknown type at debug, with its type and size', () => {
    const [first = '', second = ''] = files.find((lines) => lines[0]?.includes('session_meta')) ?? [];
    const unknown = { timestamp: '2026-11-20T10:00:00Z', type: 'hologram', payload: { secret: 'x'.repeat(3000) } };
    const log = readSavedLines([first, second, JSON.stringify(unknown)]);
    const record = log.store.query().find(({ message }) => message.includes('hologram'));
    assert.equal(record?.level, 'debug');
    assert.equal(record.message, 'unknown record type "hologram" (3.1 KB)');
  });
});
