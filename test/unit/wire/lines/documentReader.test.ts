import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Line } from '../../../../src/text/bytes/line';
import { beginsDocument, DocumentReader } from '../../../../src/wire/lines/documentReader';
import { column } from '../../../support/columns';

function read(text: string, { chunk = 65_536, max = 1e6 } = {}): Line[] {
  const reader = new DocumentReader(max);
  const bytes = Buffer.from(text);
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; at += chunk) {
    reader.push(bytes.subarray(at, at + chunk));
    for (let line = reader.next(); line; line = reader.next()) lines.push(line);
  }
  for (let line = reader.end(); line; line = reader.end()) lines.push(line);
  return lines;
}

function texts(text: string, options: { chunk?: number; max?: number } = {}): string[] {
  return read(text, options).map((line) => line.text);
}

function values(text: string, options: { chunk?: number } = {}): unknown[] {
  return texts(text, options).map((one) => JSON.parse(one) as unknown);
}

const spans = Array.from({ length: 400 }, (_, n) => ({ n, name: 'span, "]}', text: 'x'.repeat(200) }));

describe('document reader', () => {
  it('reads documents over many lines, and the text between them', () => {
    const one = { a: 'b\n"{', c: [1, { d: null }], e: {} };
    const text = `${JSON.stringify(one, null, 2)}\r\nstarting\n${JSON.stringify([one], null, '\t')}\n\n${JSON.stringify(one)}`;
    const found = texts(text);
    assert.equal(found[1], 'starting');
    const documents = [0, 2, 3].map((n) => JSON.parse(found[n] ?? '') as unknown);
    assert.deepEqual(documents, [one, [one], one]);
  });

  it('reads any JSON, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.object(), { minLength: 1 }), fc.integer({ min: 1, max: 50 }), (all, chunk) => {
        const expected = all.map((one) => JSON.parse(JSON.stringify(one)) as unknown);
        assert.deepEqual(values(all.map((one) => JSON.stringify(one, null, 2)).join('\n'), { chunk }), expected);
      }),
      { numRuns: 300 },
    );
  });

  for (const indent of [0, 2]) {
    it(`cuts large lists into documents of the same form (indented by ${indent})`, () => {
      const whole = { resourceSpans: [{ resource: { name: 'shop' }, scopeSpans: [{ scope: {}, spans }] }], at: 1 };
      for (const chunk of [7, 1000, 65_536]) {
        const found = values(JSON.stringify(whole, null, indent), { chunk }) as (typeof whole)[];
        assert.ok(found.length > 4);
        const groups = found.flatMap(({ resourceSpans }) => resourceSpans);
        const inGroups = groups.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
        assert.deepEqual(inGroups, spans);
        assert.ok(groups.every(({ resource }) => resource.name === 'shop'));
        assert.deepEqual(column(found, 'at').filter(Boolean), [1]);
      }
    });
  }

  it('tells no entry twice if a document has several lists', () => {
    const whole = {
      resourceSpans: [{ scopeSpans: [{ spans }] }, { scopeSpans: [{ spans }] }],
      resourceLogs: [{ scopeLogs: [{ logRecords: spans }] }],
    };
    const text = texts(JSON.stringify(whole)).join('');
    for (const { n } of spans) assert.equal(text.split(`"n":${n},`).length, 4);
  });

  it('delivers the entries of a list that is still written', () => {
    const reader = new DocumentReader(1e6);
    reader.push(Buffer.from('[\n{"n": 1},\n'));
    assert.equal(reader.next(), undefined);
    assert.equal(reader.pause()?.text, '[{"n": 1}]');
    assert.equal(reader.pause(), undefined);
    reader.push(Buffer.from('{"n": 2},\n{"n'));
    assert.equal(reader.next(), undefined);
    reader.push(Buffer.from('": 3}\n]\n'));
    assert.equal(reader.next()?.text, '[{"n": 2},{"n": 3}]');
    assert.equal(reader.end(), undefined);
  });

  it('reads a list that was never closed', () => {
    assert.deepEqual(values('[\n{"n":1},\n{"n":2},\n'), [[{ n: 1 }, { n: 2 }]]);
  });

  it('loses nothing that is no JSON', () => {
    const visible = (text: string): string => text.replace(/\s/g, '');
    const odd = ['{\n"a": x y\n}\n', '{"a\nb": 1}', '[1, 2}', '{\n  info: started\n}\n{"b":1}', '{"a":{', 'plain\n{\n'];
    for (const text of odd) assert.equal(visible(texts(text).join('')), visible(text));
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\n', 'a', '1', ' ', '\\')), (parts) => {
        const text = parts.join('');
        const expected = visible(text).replace(/,/g, '');
        const found = visible(texts(text, { chunk: 3 }).join('')).replace(/,/g, '');
        // A list that was cut gets an end.
        assert.ok(found.startsWith(expected), `${text} ${found}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('reports a document that is too long by its beginning, and reads on after it', () => {
    const long = JSON.stringify({ text: 'x'.repeat(5000), list: spans }, null, 2);
    const [cut, next] = read(`${long}\n{"b":1}\n`, { chunk: 1000, max: 10_000 });
    assert.equal(cut?.bytes, long.length);
    assert.match(cut.text, /^\{\n {2}"text": "xxx/);
    assert.equal(next?.text, '{"b":1}');
  });

  it('knows files to read as documents by their beginning', () => {
    const spans = ['{"resourceSpans":[{"sco', '{"resourceSpans":[]}'];
    const are = ['{\n"a": 1', '[\n{"a":1},\n', '\n {\r\n', ...spans, '\ufeff{\n'];
    const arent = ['{"a":1}\n{\n', 'text\n{\n', '{"a":1},\n{"b":2}\n', '', '{"a\n', '["a"]\n'];
    const known = [...are, ...arent].filter((text) => beginsDocument(Buffer.from(text)));
    assert.deepEqual(known, are);
  });
});
