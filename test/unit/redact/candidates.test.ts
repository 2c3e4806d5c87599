import assert from 'node:assert/strict';
import { join } from 'node:path';
import { kernel as ofBuild } from '../../../scripts/kernel.mjs';
import { kernelTables } from '../../../src/kernel/tables';
import { KnownValues } from '../../../src/redact/knownValues';
import { OwnPatterns } from '../../../src/redact/ownPatterns';
import { mayHoldSecret, scan } from '../../../src/redact/scan';
import { shapes } from '../../../src/redact/shapes/shapeTable';
import { kernel, sought } from '../../../src/redact/sought';
import { byteSets, contents } from '../../../src/kernel/fragment';
import { casesOf } from '../../redaction/cases';
import { corporaOf } from '../../redaction/ordinary';
import { Random } from '../../redaction/random';

const seed = 20_261_129;
/** How many ordinary lines are candidates at most, in percent. */
const most = { recordings: 2, packages: 6, project: 5, logs: 25 };

/** The text, in JSON, and in JSON that is in JSON. */
function formsOf(text: string): readonly string[] {
  const json = JSON.stringify(text);
  return [text, json, JSON.stringify({ message: json })];
}

function isCandidate(line: string): boolean {
  return (kernel.contents(Buffer.from(line)) & contents.candidate) !== 0;
}

describe('candidates for the search for secrets', () => {
  it('are found by tables that the build made from the names, shapes and places of the source', () => {
    assert.deepEqual(Buffer.from(ofBuild.tables, 'base64'), Buffer.from(kernelTables(sought())));
  });

  it('are all lines with a secret that redaction finds', () => {
    const values = new KnownValues([]);
    const patterns = new OwnPatterns([]);
    for (const { text } of casesOf(new Random(seed), { named: 1, vendorKeys: 4, prose: 10 })) {
      for (const form of formsOf(text)) {
        if (!isCandidate(form)) assert.equal(scan(form, values, patterns), form);
      }
    }
  });

  for (const { name, lines } of corporaOf(join(__dirname, '../../..'), new Random(seed))) {
    if (!(name in most)) continue;
    it(`are few of ordinary lines, and all that the search stops at: ${name}`, () => {
      const some = lines.slice(0, 6000);
      const candidates = some.filter((line) => isCandidate(line));
      const share = (100 * candidates.length) / some.length;
      assert.ok(share <= most[name as keyof typeof most], `${share.toFixed(1)} %`);
      const found = new Set(candidates);
      const missed = some.filter((line) => !found.has(line) && mayHoldSecret(line));
      assert.ok(missed.length <= some.length / 1000, missed.join('\n'));
    });
  }

  it('are found by prefixes whose tokens are of the bytes that the kernel knows, and are long enough', () => {
    const known = new RegExp(`[${byteSets.token}]`);
    for (const { prefix, alphabet, min, before } of shapes) {
      const own = new RegExp(`[${alphabet}]`);
      const bytes = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((char) =>
        own.test(char),
      );
      assert.ok(
        bytes.every((char) => known.test(char)),
        prefix,
      );
      assert.ok(before !== undefined || prefix.length + Math.min(min, 16) >= 13, prefix);
    }
  });
});
