import assert from 'node:assert/strict';
import { expandPath } from '../../../src/machine/shellPath';

describe('pasted paths', () => {
  const windows = {
    platform: 'win32',
    userHome: 'C:\\Users\\me',
    env: { AppData: 'C:\\Users\\me\\AppData\\Roaming', 'ProgramFiles(x86)': 'C:\\Program Files (x86)' },
  };
  const posix = { platform: 'linux', userHome: '/home/me', env: { APPDATA: 'x' } };

  it('expand variables on Windows, in any case', () => {
    assert.equal(expandPath('%APPDATA%\\npm\\agent.cmd', windows), 'C:\\Users\\me\\AppData\\Roaming\\npm\\agent.cmd');
    assert.equal(expandPath('%ProgramFiles(x86)%\\a.exe', windows), 'C:\\Program Files (x86)\\a.exe');
    assert.equal(expandPath('%NONE%\\a%20b', windows), '%NONE%\\a%20b');
    assert.equal(expandPath('%APPDATA%/x', posix), '%APPDATA%/x');
  });

  it('expand a leading tilde', () => {
    assert.equal(expandPath('~\\bin\\a.exe', windows), 'C:\\Users\\me\\bin\\a.exe');
    assert.equal(expandPath('~/bin/a', windows), 'C:\\Users\\me/bin/a');
    assert.equal(expandPath('~/bin/a', posix), '/home/me/bin/a');
    assert.equal(expandPath('~', posix), '/home/me');
    for (const path of ['~other/a', 'a/~/b', '~\\a']) assert.equal(expandPath(path, posix), path);
  });
});
