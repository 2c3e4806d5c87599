import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { classOfError, classOfProse, classOfText } from '../../../../src/diagnosis/failures/failureClass';

const texts = JSON.parse(readFileSync('test/fixtures/diagnosis/errorTexts.json', 'utf8')) as Record<string, string[]>;

describe('failureClass', () => {
  for (const [failure, own] of Object.entries(texts)) {
    if (failure === 'mentions') continue;
    it(`recognizes ${own.length} texts as ${failure}`, () => {
      const wrong = own.map((text) => [classOfText(text), text]).filter(([found]) => found !== failure);
      assert.deepEqual(wrong, []);
    });
  }

  it('takes sentences that mention a failure for none', () => {
    const wrong = (texts['mentions'] ?? []).map((text) => [classOfProse(text), text]).filter(([it]) => it !== 'other');
    assert.deepEqual(wrong, []);
  });

  it('decides by words, data and status before the code', () => {
    const of = (message: string, data?: unknown): string => classOfError({ code: -32000, message, data }, -32000);
    assert.equal(of('Rate limit exceeded'), 'rate-limit');
    assert.equal(of('database is locked'), 'other');
    assert.equal(of('Request failed', { status: 429 }), 'rate-limit');
    assert.equal(of('Request failed', { response: { statusCode: 401 } }), 'authentication');
    assert.equal(of('Request failed', { error: { type: 'overloaded_error' } }), 'rate-limit');
    assert.equal(of('Server error'), 'authentication');
    assert.equal(of('Anmeldung erforderlich'), 'authentication');
  });
});
