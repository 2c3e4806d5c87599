import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBeginning } from '../../../src/live/mcp/http/httpBody';
import { savedDetails } from '../../../src/past/saved/list/savedDetails';
import { boundedText } from '../../../src/protocols/boundedText';
import { TextChunks } from '../../../src/protocols/textChunks';
import { Redactor } from '../../../src/redact/redactor';
import { cutJson } from '../../../src/text/cutJson';
import { ownEnds, ownHead, ownTail } from '../../../src/text/ownText';
import { boundedJson } from '../../../src/text/boundedJson';
import { oneLine } from '../../../src/text/text';
import { wholeWordsFrom, wholeWordsOf, wholeWordsTo } from '../../../src/text/wholeWords';
import { CutLine } from '../../../src/wire/lines/longLine';
import { LineReader } from '../../../src/wire/lines/lineReader';

const body = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU5oXi';
/** Values of environment variables, which nothing else gives away. */
const known = ['horse.battery~staple/correct', Array.from({ length: 300 }, (_, n) => `${n}tokenpart`).join('')];
const secrets: readonly (readonly [text: string, secret: string])[] = [
  [`ghp_${body}`, body],
  [`Bearer ${body}`, body],
  [`https://bob:${body}@example.com/`, body],
  [`--password ${body}`, body],
  [`"api_key":"${body}"`, body],
  ...known.map((value) => [value, value] as const),
];

interface Cut {
  readonly name: string;
  /** After how many characters the text is cut. */
  readonly at: number;
  readonly keep: (text: string) => unknown;
  /** What the text is made of. Default: words. */
  readonly filler?: string;
}

/** What is kept of texts that are cut before they are redacted. */
const cuts: readonly Cut[] = [
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
    at: 16_384,
    keep: (text) => {
      const found: string[] = [];
      const chunks = new TextChunks(({ message }) => void found.push(message));
      const about = { sessionId: 's', speaker: 'agent', messageId: undefined, raw: '', receivedAt: 0 } as const;
      for (const part of text.match(/[\s\S]{1,999}/g) ?? []) chunks.add({ ...about, text: part });
      chunks.complete('s');
      return found.join('');
    },
  },
  { name: 'a line of text', at: 200, keep: (text) => oneLine(text, 200) },
  { name: 'a long line of text', at: 800, filler: `word${'\n'.repeat(20)}`, keep: (text) => oneLine(text, 200) },
  {
    name: 'the title of a saved session',
    at: 200,
    keep: (text) => {
      const message = { role: 'user', content: text };
      const line = { type: 'user', parentUuid: null, sessionId: 's1', uuid: 'u', cwd: '/w', message };
      return savedDetails([JSON.stringify(line)]).title;
    },
  },
  {
    name: 'why a saved session failed',
    at: 300,
    keep: (text) => {
      const line = { parentUuid: null, sessionId: 's1', cwd: '/w' };
      const prompt = { ...line, uuid: 'u1', type: 'user', message: { role: 'user', content: 'Go' } };
      const message = { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text }] };
      const failure = { ...line, uuid: 'u2', type: 'assistant', isApiErrorMessage: true, message };
      return savedDetails([JSON.stringify(prompt), JSON.stringify(failure)]).problem;
    },
  },
  { name: 'a value as JSON', at: 1000, keep: (text) => boundedJson(text, 1001) },
  { name: 'what is kept for long', at: 1000, keep: (text) => ownHead(text, 1000) },
  { name: 'the beginning of an output', at: 1000, keep: (text) => ownEnds(text, 2000).split('\n')[0] },
  { name: 'the body of an answer', at: 4096, keep: (text) => readBeginning(new Blob([text]).stream(), 4096) },
];

/** What is kept of the ends of texts. */
const ends: readonly Cut[] = [
  { name: 'the end of an output', at: 1000, keep: (text) => ownTail(text, 1000) },
  { name: 'both ends of an output', at: 1000, keep: (text) => ownEnds(text, 2000).split('\n')[2] },
];

/** What cuts only names and titles. */
const showTitles = [
  ...['failures/calls/missingThing', 'failures/calls/toolEnd', 'rules/toolFailures', 'rules/work/fullContexts'],
  ...['rules/work/repeatedCalls', 'sessionSummary'],
].map((file) => `diagnosis/${file}.ts`);

const mark = 'milestone';

/** Words, as many as are needed for this length. */
function words(length: number, filler = 'Some words. '): string {
  return filler.repeat(Math.ceil(length / filler.length) + 100);
}

/** How much of a secret is on this side of the cut. */
function partsOf(secret: string, at: number): number[] {
  const step = Math.max(3, Math.floor(secret.length / 20));
  const parts = Array.from({ length: 20 }, (_, n) => 4 + n * step);
  return parts.filter((part) => part < Math.min(secret.length, at / 2));
}

describe('a text that is cut before it is redacted', () => {
  const redactor = new Redactor({ values: known });

  for (const { name, at, keep, filler } of cuts) {
    it(`shows no beginning of a secret: ${name}`, async () => {
      for (const [text, secret] of secrets) {
        for (const part of partsOf(secret, at)) {
          const before = `${mark} ${text.slice(0, text.indexOf(secret))}`;
          const whole = `${words(at, filler).slice(0, at - part - before.length - 1)} ${before}${text.slice(before.length - mark.length - 1)} and more. ${words(at)}`;
          assert.ok(whole.slice(0, at).endsWith(secret.slice(0, part)), 'the cut is in the secret');
          const kept = await keep(whole);
          assert.ok(typeof kept === 'string' && kept.includes(mark) && !kept.includes('and more'), String(kept));
          const redacted = redactor.line(kept);
          assert.ok(!redacted.includes(secret.slice(0, 4)), `${part}: ${redacted.slice(-120)}`);
        }
      }
    });
  }

  for (const { name, at, keep } of ends) {
    it(`shows no end of a secret: ${name}`, async () => {
      for (const [text, secret] of secrets) {
        for (const part of partsOf(secret, at)) {
          const after = `${text.slice(text.indexOf(secret) + secret.length)} ${mark} `;
          const rest = words(at).slice(0, at - part - after.length);
          const whole = `${words(at * 2)}${text.slice(0, text.indexOf(secret) + secret.length)}${after}${rest}`;
          assert.ok(whole.slice(-at).startsWith(secret.slice(-part)), 'the cut is in the secret');
          const kept = await keep(whole);
          assert.ok(typeof kept === 'string' && kept.includes(mark) && !kept.includes(secret), String(kept));
          assert.ok(!redactor.line(kept).includes(secret.slice(-4)), `${part}: ${kept.slice(0, 120)}`);
        }
      }
    });
  }

  it('ends and begins with a whole word, or a whole token if a word is very long', () => {
    assert.equal(wholeWordsTo('one two', 5), 4);
    assert.equal(wholeWordsTo('one two three', 7), 7);
    assert.equal(wholeWordsTo(`a b${'xy'.repeat(2500)}`, 4096), 2);
    assert.equal(wholeWordsTo('xy'.repeat(2500), 4096), 0);
    assert.equal(wholeWordsTo(`a b${'x;'.repeat(3000)}`, 4096), 4095);
    assert.equal(wholeWordsTo('='.repeat(80), 40), 40);
    assert.equal(wholeWordsFrom('one two', 2), 3);
    assert.equal(wholeWordsFrom('one two', 3), 3);
    assert.equal(wholeWordsFrom('one two', 4), 4);
    assert.equal(wholeWordsFrom('xy'.repeat(2500), 10), 5000);
    assert.equal(wholeWordsFrom('='.repeat(80), 40), 40);
    assert.equal(wholeWordsFrom(`${'x;'.repeat(3000)} b`, 100), 101);
  });

  it('is cut between the signs of a language without spaces, and never in a letter of two halves', () => {
    assert.equal(wholeWordsTo('これは長い文です。'.repeat(10), 50), 50);
    assert.equal(wholeWordsTo('長い文 Zürich', 9), 4);
    assert.equal(wholeWordsTo('a 😀😀😀', 3), 2);
    assert.equal(wholeWordsOf(Buffer.from('これは長い').subarray(0, 7)), 'これ');
    assert.equal(wholeWordsOf(Buffer.from('ein Gruß aus Köln').subarray(0, 16)), 'ein Gruß aus ');
  });

  it('is cut anywhere only where it is shown, after it was searched for secrets', () => {
    const rooms = ['agents', 'diagnosis', 'live', 'past', 'protocols', 'runLog', 'wire', 'work'];
    const found = rooms.flatMap((room) =>
      readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .filter((file) => /\b(?:shownLine|cutAnywhere)\b/.test(readFileSync(join('src', room, file), 'utf8')))
        .map((file) => `${room}/${file.replaceAll('\\', '/')}`),
    );
    // Titles of tool calls, and names of files and programs, come from single lines, which were.
    assert.deepEqual(
      found.filter((file) => !showTitles.includes(file)),
      [],
    );
  });
});
