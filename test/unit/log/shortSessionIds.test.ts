import assert from 'node:assert/strict';
import { sessionLabel } from '../../../src/log/sessionLabel';
import { ShortSessionIds } from '../../../src/log/shortSessionIds';

describe('short session ids', () => {
  const [parent, child] = ['01a202a5-56c2-79a3-93c3-469c8b5b1679', '01a202a5-5d56-7241-82ce-d1a2531bd210'];

  function shortening(...ids: readonly string[]): ShortSessionIds {
    const short = new ShortSessionIds();
    for (const id of ids) short.add(id);
    return short;
  }

  it('shortens every known id anywhere in a text', () => {
    const ids = shortening(parent, child);
    assert.equal(
      ids.inText(`/tmp/${parent}/tasks: ${child} of "${parent}"`),
      '/tmp/…8b5b1679/tasks: …531bd210 of "…8b5b1679"',
    );
    assert.equal(ids.inText('nothing'), 'nothing');
  });

  it('prefers a longer id to its own prefix', () => {
    assert.equal(shortening(parent, `${parent}:subagent:${child}`).inText(`${parent}:subagent:${child}`), '…531bd210');
  });

  it('shortens member names, strings and items of a JSON value, and returns the same value if there are none', () => {
    const ids = shortening(parent);
    assert.deepEqual(ids.inValue({ [parent]: [`a "${parent}"`, 1, null] }), {
      '…8b5b1679': ['a "…8b5b1679"', 1, null],
    });
    const other = { child, absent: undefined };
    assert.equal(ids.inValue(other), other);
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
