import assert from 'node:assert/strict';
import { attemptsIn } from '../../../../../src/diagnosis/failures/calls/attempt';
import { isDealtWith, isTypo, leftAfter, saysMisled } from '../../../../../src/diagnosis/failures/calls/dealtWith';

function isDealt(line: string, then: string, output = '', isMissing = false): boolean {
  const failed = { attempts: attemptsIn(line, true), isMisled: saysMisled(output), isMissing, isWanted: false };
  return isDealtWith(failed, leftAfter(failed, attemptsIn(then, false)));
}

describe('failures that were dealt with', () => {
  it('accepts the same command, however it is written', () => {
    const pairs = [
      ['npm test', 'cd /w && CI=1 npm test -- --silent 2>&1 | tail -5'],
      ['pytest -q', 'python -m pytest tests/test_tax.py'],
      ['apt-get install -y jq', 'sudo apt-get install jq'],
      ['npm run biuld', 'npm run build'],
      ['git push origin main', 'git push'],
      ['git merge main', 'git commit --no-edit'],
      ['cargo build', 'cargo test'],
      ['./gen.sh', 'bash gen.sh'],
      ['npm ci', 'npm install'],
      ['docker-compose up -d', 'docker compose up -d'],
      ['cat conf/a.yml', 'ls conf'],
    ] as const;
    for (const [line, then] of pairs) assert.equal(isDealt(line, then), true, `${line} → ${then}`);
  });

  it('accepts another program if the first is missing, and other arguments if the first were wrong', () => {
    assert.equal(isDealt('python a.py', 'python3 a.py', '', true), true);
    assert.equal(isDealt('jq . a.json', 'node -p "1"', '', true), true);
    const missing = 'ERROR: file or directory not found: tests/a.py';
    assert.equal(isDealt('pytest tests/a.py', 'pytest test/b.py', missing), true);
  });

  it("doesn't accept something else", () => {
    const pairs = [
      ['npm test', 'npm run build'],
      ['npm run lint && npm run build', 'npm run build'],
      ['pytest tests/test_a_billing.py', 'pytest tests/test_login.py'],
      ['git merge main', 'git merge --abort'],
      ['npm test', 'npm test || true'],
      ['npm publish', 'npm test'],
      ['node server.js', 'cat server.js'],
      ['make', 'ls'],
    ] as const;
    for (const [line, then] of pairs) assert.equal(isDealt(line, then), false, `${line} → ${then}`);
  });

  it('recognizes typing mistakes', () => {
    for (const [one, other, is] of [
      ['tset', 'test', true],
      ['buidl', 'build', true],
      ['confg-loader', 'config-loader', true],
      ['dev', 'prod', false],
      ['unit', 'e2e', false],
      ['lint', 'list-all', false],
    ] as const) {
      assert.equal(isTypo(one, other), is, one);
    }
  });
});
