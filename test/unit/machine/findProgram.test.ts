import assert from 'node:assert/strict';
import { delimiter, dirname } from 'node:path';
import { findProgram, searchDisk } from '../../../src/machine/findProgram';

/** A search among only these files. */
function among(platform: string, files: readonly string[], env: Record<string, string>, cwd = '/ws') {
  const form = (path: string): string => (platform === 'win32' ? path.toLowerCase() : path);
  const known = new Set(files.map(form));
  return { platform, env, cwd, isProgram: (path: string) => Promise.resolve(known.has(form(path))) };
}

describe('finding a program', () => {
  it('uses the first match on the PATH', async () => {
    const search = among('linux', ['/b/agent', '/c/agent'], { PATH: '/a::/b:/c' });
    assert.equal(await findProgram('agent', search), '/b/agent');
    assert.equal(await findProgram('other', search), undefined);
    assert.equal(await findProgram('', search), undefined);
  });

  it('resolves a path from the working directory', async () => {
    const search = among('linux', ['/ws/bin/agent', '/opt/agent', '/b/agent'], { PATH: '/b' });
    assert.equal(await findProgram('./bin/agent', search), '/ws/bin/agent');
    assert.equal(await findProgram('/opt/agent', search), '/opt/agent');
    assert.equal(await findProgram('./agent', search), undefined);
  });

  it('tries the extensions of PATHEXT on Windows, whatever the case of the variable', async () => {
    const files = ['C:\\npm\\gemini', 'C:\\npm\\gemini.cmd', 'C:\\bin\\gemini.exe', 'C:\\bin\\a.b.exe'];
    const search = among('win32', files, { Path: 'C:\\npm;"C:\\bin";', PathExt: '.EXE;.CMD' }, 'C:\\ws');
    assert.equal(await findProgram('gemini', search), 'C:\\npm\\gemini.cmd');
    assert.equal(await findProgram('gemini.exe', search), 'C:\\bin\\gemini.exe');
    assert.equal(await findProgram('a.b', search), 'C:\\bin\\a.b.exe');
    assert.equal(await findProgram('C:/npm/gemini', search), 'C:\\npm\\gemini.cmd');
  });

  it("uses the default extensions if Windows has none, and doesn't search the current folder", async () => {
    const search = among('win32', ['C:\\ws\\agent.exe', 'C:\\b\\agent.bat'], { PATH: 'C:\\b' }, 'C:\\ws');
    assert.equal(await findProgram('agent', search), 'C:\\b\\agent.bat');
    assert.equal(await findProgram('.\\agent', search), 'C:\\ws\\agent.exe');
  });

  it('finds only executables on this machine', async () => {
    const path = [dirname(process.execPath), '/no/such/folder'].join(delimiter);
    assert.equal(await findProgram('node', searchDisk({ PATH: path }, process.cwd())), process.execPath);
    assert.equal(await findProgram('./package.json', searchDisk({}, process.cwd())), undefined);
    assert.equal(await findProgram('./src', searchDisk({}, process.cwd())), undefined);
  });
});
