import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAnswer, isPrinter } from '../../../../src/work/failures/commandStatus';

describe('commandStatus', () => {
  it('uses the command that determines the status', () => {
    const answers = [
      'cd /repo && grep -rn foo src',
      'cat a | grep foo',
      'git --no-pager diff --exit-code',
      "/bin/bash -lc 'cd src && rg needle'",
      'for f in a b; do grep x $f; done',
      '(cd a && grep x b)',
      'sudo -u dev env A=1 time grep root /etc/passwd 2>/dev/null',
      'npm test; grep x log',
      '! grep -q TODO a.ts',
      'command -v deno',
    ];
    for (const command of answers) assert.equal(isAnswer(command, 1), true, command);
    const failures = ['grep foo a | npm test', 'npm test && echo ok', 'mygrep x', 'echo "a | grep b"', 'git push', ''];
    for (const command of failures) assert.equal(isAnswer(command, 1), false, command);
    assert.equal(isAnswer('grep foo a', 2), false);
  });

  it('handles the exit codes of xargs and of closed pipes', () => {
    assert.equal(isAnswer('find . | xargs -0 grep -l x', 123), true);
    assert.equal(isAnswer('ls | xargs npm test', 123), false);
    assert.equal(isAnswer('git log | head -1', 141), true);
  });

  it('treats a chain with output as failed at an earlier command', () => {
    assert.equal(isAnswer('npm test && grep foo log', 1, '2 failing'), false);
    assert.equal(isAnswer('cd /nowhere && grep foo a', 1, 'bash: cd: /nowhere: No such file or directory'), false);
  });

  it('recognizes programs that only print', () => {
    assert.equal(isPrinter('cat build.log'), true);
    assert.equal(isPrinter('npm test'), false);
  });

  it('parses any command line', () => {
    const anyLine = fc.string({ maxLength: 200 });
    fc.assert(fc.property(anyLine, (command) => isAnswer(command, 1) || isPrinter(command) || true));
  });
});
