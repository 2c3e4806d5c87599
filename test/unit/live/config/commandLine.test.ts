import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { commandLine, shellAt, splitCommandLine } from '../../../../src/live/config/commandLine';
import { isWindows } from '../../../support/platform';
import { holds } from '../../../support/property';

describe('a command line to copy', () => {
  const hostile = "x\nrm -rf ~/a b/it's/$(id) `id` $HOME/a;b|c&d>e/*/~//-x/\u001b[31mred\u202e/A=1".split('/');

  it('is read by a POSIX shell as the same words, without control characters', function () {
    const line = commandLine(hostile, 'posix');
    assert.equal(line, `'x rm -rf ~' 'a b' 'it'\\''s' '$(id) \`id\` $HOME' 'a;b|c&d>e' '*' '~' '' -x red 'A=1'`);
    if (isWindows) return;
    const plain = ['x rm -rf ~', ...hostile.slice(1, 9), 'red', 'A=1'];
    const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
    assert.equal(printed, `${plain.join('\n')}\n`);
  });

  const word = fc
    .string({ unit: 'binary-ascii', maxLength: 12 })
    .map((text) => text.replace(/[\u0000-\u001f\u007f]/g, ''));
  holds(
    'keeps every word',
    500,
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      assert.deepEqual(splitCommandLine(commandLine(words, 'posix'), 'linux'), words);
    }),
  );

  it('is quoted for PowerShell, which reads typographic quotes, too', () => {
    const line = commandLine(['C:\\Program Files\\a.exe', 'it’s', '-x', '$env:A', '@x', 'a,b'], 'powershell');
    assert.equal(line, "& 'C:\\Program Files\\a.exe' 'it’’s' -x '$env:A' '@x' 'a,b'");
    assert.equal(commandLine(['agent.exe', '--acp', 'x\r\ncalc'], 'powershell'), "agent.exe --acp 'x calc'");
  });

  it('is quoted for cmd, which expands variables in quotes', () => {
    const line = commandLine(['C:\\a b\\c.exe', 'x"&calc', '%PATH%', 'C:\\d e\\'], 'cmd');
    assert.equal(line, '"C:\\a b\\c.exe" "x""&calc" ""^%"PATH"^%"" "C:\\d e\\\\"');
  });

  it("is for VS Code's default shell", () => {
    assert.equal(shellAt('/usr/bin/zsh', 'darwin'), 'posix');
    assert.equal(shellAt('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'win32'), 'powershell');
    assert.equal(shellAt('C:\\Windows\\System32\\cmd.exe', 'win32'), 'cmd');
    assert.equal(shellAt('C:\\Program Files\\Git\\bin\\bash.exe', 'win32'), 'posix');
    assert.deepEqual([shellAt('', 'win32'), shellAt('', 'linux')], ['powershell', 'posix']);
  });
});
