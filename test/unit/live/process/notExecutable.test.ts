import { inEnglish } from '../../../../src/text/translator';
import assert from 'node:assert/strict';
import { isNotExecutable, notExecutable } from '../../../../src/live/process/notExecutable';

describe('a command that failed to start', () => {
  const failed = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

  it('is not executable on POSIX if the system says so', () => {
    assert.equal(isNotExecutable('agent', '/', failed('EACCES'), 'linux'), true);
    assert.equal(isNotExecutable(__filename, '/', failed('ENOENT'), 'linux'), false);
  });

  it('is not executable on Windows if its file is there', () => {
    for (const code of ['ENOENT', 'UNKNOWN', 'EFTYPE', 'EACCES']) {
      assert.equal(isNotExecutable(__filename, '/', failed(code), 'win32'), true, code);
      assert.equal(isNotExecutable(`${__filename}.none`, '/', failed(code), 'win32'), false, code);
      assert.equal(isNotExecutable('agent', __dirname, failed(code), 'win32'), false, 'searched for on the PATH');
    }
    assert.equal(isNotExecutable('./notExecutable.test.ts', __dirname, failed('ENOENT'), 'win32'), true);
    assert.equal(isNotExecutable(__filename, '/', failed('EMFILE'), 'win32'), false);
  });

  it('is reported with a remedy for each system', () => {
    const report = (platform: NodeJS.Platform): string => inEnglish(notExecutable('x', 'agentLogs.agents', platform));
    const posix = "'x' isn't executable. Run chmod +x on it, or set the program that runs it in agentLogs.agents.";
    assert.equal(report('linux'), posix);
    assert.match(
      report('win32'),
      /^'x' isn't executable\. Windows runs \.exe, \.cmd and \.bat files: in agentLogs\.agents/,
    );
  });
});
