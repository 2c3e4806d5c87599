import assert from 'node:assert/strict';
import { readBeginning } from '../../../src/live/mcp/http/httpBody';
import { savedDetails } from '../../../src/past/saved/list/savedDetails';
import { boundedText } from '../../../src/protocols/boundedData';
import { TextChunks } from '../../../src/protocols/textChunks';
import { Redactor } from '../../../src/redact/redactor';
import { cutJson } from '../../../src/text/cutJson';
import { oneLine, wholeWordsTo } from '../../../src/text/text';
import { CutLine } from '../../../src/wire/lines/longLine';
import { LineReader } from '../../../src/wire/lines/lineReader';

const body = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU5oXi';
/** The value of an environment variable, which nothing else gives away. */
const known = 'horse.battery~staple/correct';
const secrets: readonly (readonly [text: string, secret: string])[] = [
  [`ghp_${body}`, body],
  [`Bearer ${body}`, body],
  [`https://bob:${body}@example.com/`, body],
  [`--password ${body}`, body],
  [`"api_key":"${body}"`, body],
  [known, known],
];

/** What is kept of a text that is cut before it is redacted, and after how many characters that is. */
const cuts: readonly { readonly name: string; readonly at: number; readonly keep: (text: string) => unknown }[] = [
  { name: 'a string of a long message', at: 4096, keep: (text) => (cutJson({ a: text }) as { a: string }).a },
  {
    name: 'a line over the limit',
    at: 4096,
    keep: (text) => {
      const reader = new LineReader(5000);
      reader.push(Buffer.from(`${text}${' '.repeat(5000)}\n`));
      const line = reader.next();
      assert.ok(line instanceof CutLine);
      return line.text;
    },
  },
  { name: 'a record', at: 4096, keep: boundedText },
  {
    name: 'a message in chunks',
    at: 4096,
    keep: (text) => {
      const found: string[] = [];
      const chunks = new TextChunks(({ message }) => void found.push(message));
      const about = { sessionId: 's', speaker: 'agent', messageId: undefined, raw: '', receivedAt: 0 };
      for (const part of text.match(/[\s\S]{1,999}/g) ?? []) chunks.add({ ...about, text: part });
      chunks.complete('s');
      return found.join('');
    },
  },
  { name: 'a line of text', at: 200, keep: (text) => oneLine(text, 200, wholeWordsTo) },
  {
    name: 'a long line of text',
    at: 800,
    keep: (text) => oneLine(text.replaceAll('. ', '\n\n\n\n'), 200, wholeWordsTo),
  },
  {
    name: 'the title of a saved session',
    at: 200,
    keep: (text) => {
      const message = { role: 'user', content: text };
      const line = { type: 'user', parentUuid: null, sessionId: 's1', uuid: 'u', cwd: '/w', message };
      return savedDetails([JSON.stringify(line)]).title;
    },
  },
  { name: 'the body of an answer', at: 4096, keep: (text) => readBeginning(new Blob([text]).stream(), 4096) },
];

describe('a text that is cut before it is redacted', () => {
  const redactor = new Redactor({ values: [known] });
  for (const { name, at, keep } of cuts) {
    it(`shows no beginning of a secret: ${name}`, async () => {
      for (const [text, secret] of secrets) {
        for (let shown = 4; shown <= secret.length; shown += 3) {
          const before = 'Some words. '.repeat(500).slice(0, at - text.indexOf(secret) - shown - 1);
          const kept = await keep(`${before} ${text} and more. ${'More words. '.repeat(500)}`);
          assert.ok(typeof kept === 'string' && kept.length > at / 8, String(kept));
          const redacted = redactor.line(kept);
          assert.ok(!redacted.includes(secret.slice(0, 4)), `${shown}: ${redacted.slice(-120)}`);
        }
      }
    });
  }

  it('is cut anywhere if it is one word', () => {
    assert.equal(wholeWordsTo('x'.repeat(5000), 4096), 4096);
    assert.equal(wholeWordsTo(`a b${'x'.repeat(5000)}`, 4096), 4096);
    assert.equal(wholeWordsTo('one two', 5), 4);
    assert.equal(wholeWordsTo('one two three', 7), 7);
  });
});
