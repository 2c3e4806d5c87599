import assert from 'node:assert/strict';
import fc from 'fast-check';
import { kernel as ofBuild } from '../../../scripts/kernel.mjs';
import type { Sought } from '../../../src/kernel/fragment';
import { contents } from '../../../src/kernel/fragment';
import { Kernel } from '../../../src/kernel/kernel';
import { Reference } from '../../../src/kernel/reference';
import { kernelTables } from '../../../src/kernel/tables';
import { holds } from '../../support/property';

const sought: Sought = {
  fragments: [
    { text: 'key', anyCase: true, then: 'value' },
    { text: 'token', anyCase: true, unless: 'plural', then: 'value' },
    { text: 'auth', anyCase: true, then: 'value' },
    { text: 'pass', anyCase: true, then: 'value' },
    { text: 'pw', anyCase: true, unless: 'letter', then: 'value' },
    { text: 'clé', anyCase: true, then: 'value' },
    { text: 'kennwort', anyCase: true, then: 'value' },
    { text: 'contraseña', anyCase: true, then: 'value' },
    { text: 'code', anyCase: true, then: 'long' },
    { text: '://', then: 'address' },
    { text: 'Basic' },
    { text: '密码' },
    { text: String.raw`\/` },
    { text: ':A', then: 16 },
    { text: 'sig=', then: 16 },
  ],
  prefixes: [
    { text: 'sk-', length: 19 },
    { text: 'sk-ant-', length: 23 },
    { text: 'ghp_', length: 20 },
    { text: 'ey', length: 18 },
    { text: 'github_pat_', length: 27 },
    { text: '_session=', length: 25 },
  ],
};

const built = { ...ofBuild, tables: Buffer.from(kernelTables(sought)).toString('base64') };
const kernel = new Kernel(() => sought, built);
const reference = new Reference(sought);

/** Pieces that decide: what is sought, whole and in parts, what may come before and after it, and bytes of all kinds. */
const words =
  'KEY Token tokens AUTH PW CLÉ pwd password passed keys key_id auth_ _authToken abcdefgh A1b2C3d4E5f6G7h8 ' +
  '0123456789abcdef a1 abc1234 abcd1234 is value the ENV set user %3D %3d \\n \\u000a é ü 码 😀 größer ----- [31m \\';
const signs = '- -- _ . " \' : = "," ":" { } , ; ! ? / @ % [ ( |';
const pieces = [
  ...[...sought.fragments, ...sought.prefixes].map(({ text }) => text),
  ...`${words} ${signs}`.split(' '),
  ...[' ', '  ', '\t', '\n', '\r\n', '\r', ' = ', ': "', 'login me', ' BLOCK-----', 'x'.repeat(50)],
  ...['\0', '\u001b', '\u0007', '\u00a0', '\ufeff', '\ufffd'],
].map((text) => Buffer.from(text));
const invalid = ['ff', 'c3', 'c080', 'eda080', 'f0808080', 'f4908080', 'e282'];
const piece = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.constantFrom(...invalid.map((bytes) => Buffer.from(bytes, 'hex'))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
);
const chunk = fc.array(piece, { maxLength: 40 }).map((parts) => Buffer.concat(parts));

function shown(rows: Int32Array): readonly string[] {
  return Array.from({ length: rows.length / 3 }, (_, n) => rows.slice(3 * n, 3 * n + 3).join(' '));
}

describe('kernel', () => {
  holds(
    'says of the lines of a chunk what the reference says',
    20_000,
    fc.property(chunk, (bytes) => {
      const [found, expected] = [kernel.lines(bytes), reference.lines(bytes)].map(shown);
      assert.deepEqual(found, expected, JSON.stringify(bytes.toString('latin1')));
    }),
  );

  holds(
    'says of bytes or a text that are one line what the reference says',
    10_000,
    fc.property(chunk, (bytes) => {
      assert.equal(kernel.contents(bytes), reference.contents(bytes), JSON.stringify(bytes.toString('latin1')));
      for (const text of [bytes.toString(), bytes.toString('latin1'), bytes.toString('utf16le')]) {
        assert.equal(kernel.textContents(text), reference.contents(Buffer.from(text)), JSON.stringify(text));
      }
    }),
  );

  holds(
    'says of a chunk of many lines what it says of each of them',
    200,
    fc.property(fc.array(chunk, { minLength: 50, maxLength: 200 }), (parts) => {
      const bytes = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
      assert.deepEqual(shown(kernel.lines(bytes)), shown(reference.lines(bytes)));
    }),
  );

  it('has room for long texts, and takes one that is too long for a candidate', () => {
    const all = Object.values(contents).reduce((some, bit) => some | bit, 0);
    assert.equal(kernel.textContents('码'.repeat(1_000_000)), contents.beyondAscii);
    assert.equal(kernel.textContents('码'.repeat(1_400_000)), all);
    assert.equal(kernel.textContents(`${'x'.repeat(1_000_000)} key = "abc"`), contents.candidate);
  });

  it('takes `%3D` and `=` for a separator or for a part of the value', () => {
    const values = ['=%3DAbC1efghij2lmnop', '%3DAbC1efghij2lmnop', ':%3DAbC1efghij2lmno', ' = =AbC1efghij2lmno'];
    for (const line of [...values, ':=%3DAbC1efghij2l', '%3D =AbC1efghij2lmno'].map((value) => `code${value}`)) {
      const bytes = Buffer.from(line);
      assert.deepEqual([kernel.contents(bytes), reference.contents(bytes)], [contents.candidate, contents.candidate]);
    }
  });

  it('is WebAssembly, and the reference serves where that is missing or fails', () => {
    const bytes = Buffer.from('{"a":1}\r\napi_key = "abc"\nsk-ant-0123456789abcdef\ngrößer\n');
    const { candidate, beyondAscii, control } = contents;
    const expected = ['0 7 0', `9 24 ${candidate}`, `25 48 ${candidate}`, `49 57 ${beyondAscii}`, '58 58 0'];
    const { Module, Memory, Instance } = WebAssembly;
    let made = 0;
    class Counted extends Instance {
      constructor(...args: ConstructorParameters<typeof Instance>) {
        super(...args);
        made++;
      }
    }
    const forbidden = function (): never {
      throw new Error('The policy forbids it.');
    };
    const there = { Module, Memory, Instance: Counted };
    const real = WebAssembly;
    for (const [what, world] of Object.entries({
      there,
      missing: undefined,
      forbidden: { ...there, Module: forbidden },
    })) {
      Object.assign(globalThis, { WebAssembly: world });
      try {
        const own = new Kernel(() => sought, built);
        assert.deepEqual(shown(own.lines(bytes)), expected, what);
        assert.equal(own.contents(bytes), candidate | control | beyondAscii, what);
      } finally {
        Object.assign(globalThis, { WebAssembly: real });
      }
      assert.equal(made, 1, what);
    }
    for (const module of ['AAAA', '']) {
      assert.deepEqual(shown(new Kernel(() => sought, { ...built, module }).lines(bytes)), expected);
    }
  });

  it('does not look at a line that would take too much memory: anything may be in it', () => {
    assert.equal(kernel.contents(Buffer.alloc(5_000_000, 'x')), 31);
    assert.equal(kernel.contents(Buffer.alloc(1_000_000, 'x')), 0);
  });
});
