import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { longTokensIn } from '../../../../src/redact/review/suspects';
import { Redactor } from '../../../../src/redact/redactor';
import { facts } from '../../../redaction/facts';
import { base62, hexDigits, Random } from '../../../redaction/random';
import { ofShape } from '../../../redaction/shape';
import { hostilePairs, hostileTexts, takesLinearTime } from '../../../support/doubling';

function suspects(text: string, field?: string): readonly string[] {
  return longTokensIn(text, field).suspects.map(({ value }) => value);
}

describe('long tokens', () => {
  const random = new Random(7);
  const made: readonly (readonly [string, () => string])[] = [
    ['24 letters and digits', () => random.text(base62, 24)],
    ['40 letters and digits', () => random.text(base62, 40)],
    ['40 characters of base64', () => random.text(`${base62}+/`, 40)],
    ['43 characters of base64url', () => random.text(`${base62}-_`, 43)],
    ['32 small letters and digits', () => random.text('abcdefghijklmnopqrstuvwxyz0123456789', 32)],
  ];
  for (const [what, make] of made) {
    it(`finds ${what} without a name`, () => {
      const texts = Array.from({ length: 500 }, make);
      const found = texts.filter((text) => suspects(`it says ${text}, use it`).length > 0);
      assert.ok(found.length > 450, `${found.length} of 500`);
    });
  }

  it('finds the tokens of vendors that redaction misses in prose', () => {
    const redactor = new Redactor();
    const missed = facts.flatMap(({ shape }) => {
      const token = ofShape(shape, random);
      const text = redactor.line(`Use ${token} for it`);
      return text.includes(token) && !/^[0-9a-f-]+$/i.test(token) && suspects(text).length === 0 ? [token] : [];
    });
    assert.deepEqual(missed, []);
  });

  const harmless: readonly (readonly [keyof ReturnType<typeof longTokensIn>['harmless'] | 'none', string, string?])[] =
    [
      ['uuid', 'session 0b5e9a0c-6c1f-4e6b-9a53-2f1d3c4b5a69 ended'],
      ['hash', 'commit 3f786850e387550fdab836ed7e6dc881de23001b'],
      ['hash', `sha512-${random.text(`${base62}+/`, 86)}==`],
      ['hash', random.text(hexDigits, 32)],
      ['id', 'toolu_01A09q90qw90lq917835lq9X'],
      ['id', 'ses_4f1c2d3e5ffeAbCdEfGhIjKlMn'],
      ['id', 'call_Hq3bT1fXz0aLkP8sWvYc2nRd'],
      ['id', random.text(base62, 32), 'requestId'],
      ['data', `data:image/png;base64,${random.text(base62, 400)}`],
      ['data', random.text(base62, 900)],
      ['data', random.text(base62, 300), 'signature'],
      ['data', Buffer.from('Command running in background').toString('base64')],
      ['none', 'src/vs/workbench/contrib/terminalContrib/chat/browser/terminalChatController.ts:120:14'],
      ['none', 'test/fixtures/streams/claude/claude-v2-sub-permission-2026-11-20T10-20-05.ndjson'],
      ['none', 'node_modules/@modelcontextprotocol/client/dist/esm/index.mjs'],
      ['none', 'https://api.example.com/v1/projects/42/locations/europe-west4/models'],
      ['none', 'convertUtf8StringToBase64EncodedArrayBuffer2'],
      ['none', 'claude-opus-4-1-20250805[1m] gpt-5.1-codex-mini-2026-03-01'],
      ['none', '2026-11-24T03:45:27.123Z--2026-11-24T03:45:28.456Z'],
      ['none', 'sk-ant-…[redacted] and Bearer [redacted]'],
      ['none', '${process.env.SOMETHING_TOKEN_V2} %APPDATA%'],
    ];
  for (const [shape, text, field] of harmless) {
    it(`takes ${text.slice(0, 60)} for harmless${field === undefined ? '' : ` as ${field}`}`, () => {
      const found = longTokensIn(text, field);
      assert.deepEqual(found.suspects, []);
      if (shape !== 'none') assert.equal(found.harmless[shape], 1);
    });
  }

  it('has at most one false alarm in a megabyte of recordings', () => {
    const folder = 'test/fixtures/acp';
    const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
    const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
    const size = texts.reduce((sum, { length }) => sum + length, 0);
    const found = new Set(texts.flatMap((text) => suspects(text)));
    assert.ok(found.size <= size / 1e6, [...found].join('\n'));
  });

  const units = ['a1B2', 'Zm9v', '/a1', '-a1b2c3', '%2F', 'base64,', 'toolu_', '0123abcd-', '=', '~a.', '_1A'];
  takesLinearTime('takes linear time on hostile texts', (text) => void longTokensIn(text), [
    ...hostileTexts(),
    ...hostilePairs(units, units),
  ]);
});
