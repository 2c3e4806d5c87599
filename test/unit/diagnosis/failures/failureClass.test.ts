import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { MethodRole } from '../../../../src/work/methodRole';
import { noSteps } from '../../../../src/work/step';
import { Work } from '../../../../src/work/work';
import { Conversation } from '../../../../src/diagnosis/conversation/conversation';
import { classOfError } from '../../../../src/diagnosis/failures/errorClass';
import { classOfFailure, classOfText } from '../../../../src/work/failures/failureClass';
import { isReport } from '../../../../src/work/failures/failurePatterns';

const texts = read('errorTexts');

function read(name: string): Record<string, string[]> {
  return JSON.parse(readFileSync(`test/fixtures/diagnosis/${name}.json`, 'utf8')) as Record<string, string[]>;
}

describe('failureClass', () => {
  for (const [failure, own] of Object.entries(texts)) {
    if (failure === 'mentions') continue;
    it(`recognizes ${own.length} texts as ${failure}`, () => {
      const wrong = own.map((text) => [classOfText(text), text]).filter(([found]) => found !== failure);
      assert.deepEqual(wrong, []);
    });
  }

  for (const [failure, own] of Object.entries(read('failureTexts'))) {
    it(`recognizes ${own.length} texts as ${failure} if they are known to report a failure`, () => {
      const wrong = own.map((text) => [classOfFailure(text), text]).filter(([found]) => found !== failure);
      assert.deepEqual(wrong, []);
    });
  }

  it('ignores sentences that only mention a failure', () => {
    const wrong = (texts['mentions'] ?? []).filter((text) => !isReport(text) && classOfText(text) !== 'other');
    assert.deepEqual(wrong, []);
  });

  it('uses words, data and status before the code', () => {
    const of = (message: string, data?: unknown): string =>
      classOfError({ code: -32000, message, data }, { role: 'turn' }, new Conversation('acp', new Work(noSteps)));
    assert.equal(of('Rate limit exceeded'), 'rate-limit');
    assert.equal(of('database is locked'), 'other');
    assert.equal(of('Request failed', { status: 429 }), 'rate-limit');
    assert.equal(of('Request failed', { response: { statusCode: 401 } }), 'authentication');
    assert.equal(of('Request failed', { error: { type: 'overloaded_error' } }), 'overloaded');
    assert.equal(of('Server error'), 'authentication');
    assert.equal(of('Anmeldung erforderlich'), 'other');
  });

  it('treats -32000 as a missing login if the agent offers ways to log in and has opened no session', () => {
    const conversation = new Conversation('acp', new Work(noSteps));
    conversation.initializeResult = { authMethods: [{ id: 'account', name: 'Account' }] };
    const of = (role: MethodRole, message: string): string =>
      classOfError({ code: -32000, message, data: undefined }, { role }, conversation);
    assert.equal(of('open', 'Anmeldung erforderlich'), 'authentication');
    assert.equal(of('open', 'database is locked'), 'other');
    assert.equal(of('turn', 'Anmeldung erforderlich'), 'other');
    conversation.hasOpenedSession = true;
    assert.equal(of('open', 'Anmeldung erforderlich'), 'other');
  });
});
