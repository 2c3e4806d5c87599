// Secrets in lines of 1 to 64 MiB, as the journal of a run has them, in pieces: `npm run test:redaction`.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Redactor } from '../../src/redact/redactor';
import { LongLineCopy } from '../../src/wire/lines/longLineCopy';
import type { Case } from './cases';
import { casesOf } from './cases';
import { Random } from './random';
import { percent } from './results';

const seed = Number(process.env['AGENT_LOGS_SEED'] ?? 20_261_120);
const mebibyte = 1024 * 1024;
/** How much of a line a journal has, in bytes. */
const maxCopied = 16 * mebibyte;
/** Near the end of each piece; a piece has about 64 K characters. */
const between = 64 * 1024;
/** Of the secrets that are redacted in a line of their own. */
const minRedacted = 0.998;
const list = resolve('out/redaction.txt');
const filler = '{"n":12,"it":"some ordinary words, and more"},';

describe(`redaction of long lines with seed ${seed}`, function () {
  this.timeout(600_000);
  const random = new Random(seed);
  const cases = casesOf(random, { named: 1, vendorKeys: 1, prose: 1 });

  for (const size of [1, 4, 16, 64]) {
    it(`takes as much out of a line of ${size} MiB`, () => {
      const placed: Case[] = [];
      const items: string[] = ['['];
      let length = 1;
      while (length < size * mebibyte) {
        // Several in a row lie across the end of a piece, each at another offset.
        for (let n = 0; n < 6 && length < maxCopied - 2 * between; n++) {
          const one = random.pick(cases);
          placed.push(one);
          length += items[items.push(itemOf(one)) - 1]?.length ?? 0;
        }
        const gap = filler.repeat(Math.ceil((between - 4000 + random.next() * 4000) / filler.length));
        length += gap.length;
        items.push(gap);
      }
      items.push('0]');
      const copied = copyOf(Buffer.from(items.join('')));
      const wanted = placed.filter((one) => !new Redactor().line(itemOf(one)).includes(one.secret));
      const missed = wanted.filter(({ secret }) => copied.includes(secret));
      mkdirSync(resolve('out'), { recursive: true });
      for (const { secret, text } of missed) {
        appendFileSync(list, `IN ${size} MIB ${JSON.stringify(secret)} in ${JSON.stringify(text)}\n`);
      }
      const share = 1 - missed.length / wanted.length;
      console.log(`      ${percent(share, 2)} of ${wanted.length}`);
      assert.ok(share >= minRedacted, percent(share, 2));
    });
  }
});

/** The lines of a case, as members of a list. */
function itemOf({ lines }: Case): string {
  return lines.map(({ line }) => `${line.startsWith('{"') ? line : JSON.stringify(line)},`).join('');
}

function copyOf(line: Buffer): string {
  const parts: string[] = [];
  const redactor = new Redactor().longText();
  const copy = new LongLineCopy({ dir: 'a2c', now: () => 0, redactor, write: ({ part }) => void parts.push(part) });
  for (let at = 0; at < line.length; at += 65_536) copy.add(line.subarray(at, at + 65_536));
  assert.equal(copy.end(), Math.min(line.length, maxCopied));
  return parts.join('');
}
