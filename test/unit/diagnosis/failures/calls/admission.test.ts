import assert from 'node:assert/strict';
import { admits, claimsSuccess } from '../../../../../src/diagnosis/failures/calls/admission';
import type { Purpose } from '../../../../../src/diagnosis/failures/calls/purpose';

const test = {
  names: ['npm test'],
  purposes: new Set<Purpose>(['test']),
  exitCode: 3,
  output: 'cart.test.ts: expected 12.5 to be 12.4',
  isOnly: true,
  isQuestion: false,
};

describe('answers that mention a failure', () => {
  it('finds it in many languages', () => {
    const answers = [
      'Two tests fail.',
      'One of 62 tests does not pass: the rounding.',
      'I fixed the parser. The tests still fail, though.',
      '`npm test` exits with code 3.',
      'It fails.',
      "I couldn't run them.",
      '| npm test | ❌ |',
      'Zwei Tests schlagen fehl.',
      'Die Tests konnten nicht ausgeführt werden.',
      'Un test a échoué.',
      'Falló una prueba.',
      'Um teste falhou.',
      'Один тест не проходит.',
      'テストが失敗しました。',
      '测试未通过。',
      '테스트가 실패했습니다.',
      'cart.test.ts expected another value, so that is an error.',
    ];
    for (const answer of answers) assert.equal(admits(answer, test), true, answer);
  });

  it("isn't misled by what was fixed, what has no errors, and what is called error", () => {
    const answers = [
      'Fixed the failing test.',
      'I fixed the failing tests in cart.test.ts, and all tests pass.',
      'The previously failing tests now pass.',
      'The coupon calculation, which failed for stacked coupons, is fixed, and the unit tests pass (64).',
      'The tests pass without errors.',
      'Added error handling and tests for it.',
      'All done! I added the flag, errors are printed as JSON, too.',
      'The failing build is fixed.',
      'Alle Tests laufen ohne Fehler.',
      'Done.',
      '',
    ];
    for (const answer of answers) assert.equal(admits(answer, test), false, answer);
  });

  it('wants the failure to be named if there were others', () => {
    const many = { ...test, isOnly: false };
    assert.equal(admits('It fails.', many), false);
    assert.equal(admits('The deployment failed.', many), false);
    assert.equal(admits('npm test failed.', many), true);
  });

  it('understands the answer to a question', () => {
    assert.equal(admits('No, nothing listens there.', { ...test, isQuestion: true }), true);
    assert.equal(admits('No problem, done.', { ...test, isQuestion: true }), false);
    assert.equal(admits('No.', test), false);
  });

  it('knows claims of success', () => {
    assert.equal(claimsSuccess('All tests pass.'), true);
    assert.equal(claimsSuccess(''), true);
    assert.equal(claimsSuccess('It printed 7.'), false);
    assert.equal(claimsSuccess('Done, but one test fails.'), false);
  });
});
