import assert from 'node:assert/strict';
import { giveDataInLine } from '../../../src/store/dataInLine';
import type { LogRecord } from '../../../src/text/record';
import { sessionLabel } from '../../../src/text/sessionLabel';
import { ShortSessionIds } from '../../../src/store/shortSessionIds';
import { RecordStore } from '../../../src/store/store';

describe('short session ids', () => {
  const [parent, child] = ['01a202a5-56c2-79a3-93c3-469c8b5b1679', '01a202a5-5d56-7241-82ce-d1a2531bd210'];

  function shortening(...ids: readonly string[]): ShortSessionIds {
    const short = new ShortSessionIds();
    for (const id of ids) short.add(id);
    return short;
  }

  it('shortens every known id anywhere in a text', () => {
    const ids = shortening(parent, child);
    const text = `/tmp/${parent}/tasks: ${child} of "${parent}"`;
    assert.equal(ids.inText(text), '/tmp/…8b5b1679/tasks: …531bd210 of "…8b5b1679"');
    assert.equal(ids.inText('nothing'), 'nothing');
  });

  it('prefers a longer id to its own prefix', () => {
    assert.equal(shortening(parent, `${parent}:subagent:${child}`).inText(`${parent}:subagent:${child}`), '…531bd210');
  });

  it('shortens member names, strings and items of a JSON value, and returns the same value if there are none', () => {
    const ids = shortening(parent);
    const short = { '…8b5b1679': ['a "…8b5b1679"', 1, null] };
    assert.deepEqual(ids.inValue({ [parent]: [`a "${parent}"`, 1, null] }), short);
    const other = { child, absent: undefined };
    assert.equal(ids.inValue(other), other);
  });

  it('leaves numbers and the structure of JSON alone, whatever an id looks like', () => {
    const ids = shortening('123456789012', ',"terminatedBy":', '":"agent","');
    const value = { at: 1234567890123, terminatedBy: 'agent', message: 'session 123456789012' };
    assert.deepEqual(ids.inValue(value), { ...value, message: 'session …56789012' });
    const record = { seq: 1, receivedAt: 0, level: 'info', kind: 'log', message: 'hello' } as const;
    giveDataInLine(record, JSON.stringify({ params: value }), ['params'], ids);
    assert.deepEqual((record as LogRecord).data, { ...value, message: 'session …56789012' });
  });

  it('keeps escapes in JSON valid', () => {
    const ids = shortening('new-session-1', 'abcdefghijkl\\');
    const value = { a: 'one\new-session-1', b: 'abcdefghijkl\\', c: 'new-session-1 "quoted"\n' };
    assert.deepEqual(ids.inValue(value), { ...value, b: '…fghijkl\\', c: '…ession-1 "quoted"\n' });
  });

  it('stays within the stack in strings with millions of escapes', () => {
    const ids = shortening(parent);
    const value = { text: '\n'.repeat(8e6), [parent]: '"\\"' };
    assert.deepEqual(Object.keys(ids.inValue(value)), ['text', '…8b5b1679']);
    assert.equal(ids.inValue(value).text, value.text);
  });

  it("shortens a text's own session even if it isn't among the newest", () => {
    const store = new RecordStore(1e7);
    for (let n = 0; n < 150; n++) {
      const id = `session-number-${n}.`;
      const draft = { receivedAt: 0, level: 'info', kind: 'log', sessionId: id, data: { id } } as const;
      store.append({ ...draft, message: `opened ${id}` });
      store.append({ ...draft, message: '', raw: `{"id":"${id}"}`, dataAt: [] });
    }
    for (const { message, data, sessionId } of store.query()) {
      const text = `${message} ${JSON.stringify(data)}`;
      assert.ok(text.includes('…') && !text.includes(sessionId ?? ''), text);
    }
  });

  it('knows those of OpenCode by their form, once it has seen one', () => {
    const [own, other] = ['ses_dfd674e20ffe5MUniuFZhJ3zEZ', 'ses_dfd674e20ffe6ABniuFZhJ3zQQ'];
    assert.equal(shortening(own).inText(`<task id="${other}">`), '<task id="…FZhJ3zQQ">');
    assert.equal(shortening(parent).inText(other), other);
  });

  it('ignores short texts and names with blanks, and matches ids literally', () => {
    const ids = shortening('short', 'other sessions', 'a.b.c.d.e.f.g', '$&$&$&$&$&$&$&');
    for (const text of ['short', 'other sessions', 'a-b-c-d-e-f-g']) assert.equal(ids.inText(text), text);
    assert.equal(ids.inText('a.b.c.d.e.f.g $&$&$&$&$&$&$&'), '….d.e.f.g …$&$&$&$&');
  });

  it('are shortened in titles', () => {
    assert.equal(sessionLabel(parent, `Session ${parent}`), 'Session …8b5b1679');
  });

  it('searches only for the newest ids', () => {
    const ids = shortening(...Array.from({ length: 5000 }, (_, n) => `session-number-${n}.`));
    assert.equal(ids.inText('session-number-4999.'), '…er-4999.');
    assert.equal(ids.inText('session-number-7.'), 'session-number-7.');
  });
});
