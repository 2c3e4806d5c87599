import assert from 'node:assert/strict';
import fc from 'fast-check';
import { permissionText } from '../../../../src/live/acp/permissionText';
import { holds } from '../../../support/property';

describe('permission text', () => {
  it('has no rows if it fits in the header of a picker', () => {
    const { rows, isWhole, input } = permissionText({ title: 'Delete build/', input: { path: 'build' } });
    assert.deepEqual([rows, isWhole, input], [[], true, '{"path":"build"}']);
  });

  it('is complete in the rows of the picker if it fits', () => {
    const command = `echo ${'a'.repeat(200)} && rm -rf ~`;
    const { rows, isWhole } = permissionText({ title: command, input: { command } });
    assert.equal(rows.join(''), `${command}{"command":"${command}"}`);
    assert.equal(isWhole, true);
  });

  it('is incomplete if its end doesn’t fit in the rows; the document has all of it', () => {
    for (const request of [
      { title: 'Run it', input: { command: `${'true; '.repeat(1000)}rm -rf ~` } },
      { title: `${'true; '.repeat(1000)}rm -rf ~`, input: undefined },
    ]) {
      const { rows, isWhole, document } = permissionText(request);
      assert.equal(isWhole, false);
      assert.ok(rows.every((row) => row.length <= 60));
      assert.ok(!rows.join('').includes('rm -rf'));
      assert.ok(document?.().replaceAll('\n', '').includes('rm -rf ~"'));
    }
  });

  it('escapes invisible characters in the rows and the document', () => {
    const input = { command: `ls\u200b${' '.repeat(60)}\u{e0041}` };
    const { rows, document } = permissionText({ title: 'a\u202eb', input });
    for (const text of [rows.join('\n'), document?.() ?? '']) {
      for (const escape of ['\\u202e', '\\u200b', '\\udb40\\udc41']) assert.ok(text.includes(escape), escape);
    }
  });

  it('can’t be shown if it is nested too deeply to serialize', () => {
    let input: unknown = 'rm -rf ~';
    for (let depth = 0; depth < 50_000; depth++) input = [input];
    const { isWhole, document } = permissionText({ title: 'Run it', input });
    assert.deepEqual([isWhole, document], [false, undefined]);
  });

  it('wraps the lines of the document, and loses nothing by it', () => {
    const content = `${'x'.repeat(1_000_000)}${' '.repeat(1000)}${'漢'.repeat(100)}`;
    const { document } = permissionText({ title: 'Write', input: { content } });
    const lines = document?.().split('\n') ?? [];
    assert.ok(lines.every((line) => line.replaceAll('漢', '漢漢').length <= 80));
    assert.deepEqual(JSON.parse(lines.join('')), { title: 'Write', input: { content } });
  });

  holds(
    'has every visible character in its rows or its header, or is incomplete',
    300,
    fc.property(fc.string({ maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }), (title, command) => {
      const { rows, isWhole, title: head, input } = permissionText({ title, input: { command } });
      if (!isWhole) return;
      const shown = rows.length > 0 ? rows.join('') : head + input;
      assert.equal(shown.replace(/\s/g, ''), (head + input).replace(/\s/g, ''));
    }),
  );
});
