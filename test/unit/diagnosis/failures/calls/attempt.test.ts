import assert from 'node:assert/strict';
import { attemptsIn } from '../../../../../src/diagnosis/failures/calls/attempt';

/** `purpose program verb: targets` of what a failed command line tried. */
function tried(line: string, hasFailed = true): string[] {
  return attemptsIn(line, hasFailed).map(({ purpose, program, verb, targets }) =>
    `${purpose} ${program} ${verb}: ${targets.join(' ')}`.replace('  ', ' ').replace(' :', ':').replace(/:\s*$/, ''),
  );
}

describe('attempts', () => {
  it('sees through folders, variables, wrappers, runners and pipes', () => {
    for (const line of ['npx jest', 'cd web && CI=1 npx jest 2>&1 | tail -20', 'timeout 60 pnpm exec jest']) {
      assert.deepEqual(tried(line), ['test jest'], line);
    }
    assert.deepEqual(tried("bash -lc 'yarn jest'"), ['test script jest']);
    assert.deepEqual(tried('sudo python3 -m pytest -q tests/a.py::test_x'), ['test pytest: tests/a.py']);
    assert.deepEqual(tried('docker compose exec web npm run test -- --watch=false'), ['test script test']);
  });

  it('names the purpose of scripts, targets and subcommands', () => {
    const purposes: Readonly<Record<string, string>> = {
      'npm test': 'test script test',
      'yarn build:prod': 'build script build:prod',
      'npm ci': 'install npm ci',
      yarn: 'install yarn',
      'cargo clippy -- -D warnings': 'lint cargo clippy: warnings',
      'go test ./...': 'test go test',
      'make -C core lint': 'lint make lint',
      './gradlew check': 'test gradlew check',
      'git push origin main': 'vcs git push: origin main',
      'git log --oneline': 'look git log',
      'node --version': 'probe node',
      './run-tests.sh': 'test run-tests.sh: run-tests.sh',
      'python tools/import.py a.csv': 'run python: tools/import.py a.csv',
      'sed -i s/a/b/ src/a.ts': 'edit sed: s/a/b src/a.ts',
      'curl -X POST https://a.org/x': 'other curl: POST a.org/x',
      'cat a.txt': 'look cat: a.txt',
    };
    for (const [line, expected] of Object.entries(purposes)) assert.deepEqual(tried(line), [expected], line);
  });

  it('knows which commands of a line decide its end', () => {
    assert.deepEqual(tried('npm run lint && npm run build'), ['lint script lint', 'build script build']);
    assert.deepEqual(tried('npm test; npm run build'), ['build script build']);
    assert.deepEqual(tried('npm test; echo done'), ['test script test']);
    assert.deepEqual(tried('set -e; npm test; npm run build'), ['test script test', 'build script build']);
    assert.deepEqual(tried('npm test || true', false), []);
    assert.deepEqual(tried('npm test || true'), ['test script test']);
    const started = tried('npm start & sleep 1; curl localhost', false);
    assert.deepEqual(started, ['other script start', 'fetch curl: localhost']);
    assert.deepEqual(tried('python3 - <<EOF\nimport os\nnpm test\nEOF'), ['run python']);
  });
});
