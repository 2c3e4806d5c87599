import { redactorFor } from '../../../../../src/redact/redactorFor';
import { redactionWith } from '../../../../support/redaction';
import assert from 'node:assert/strict';
import { agentFolders, userFolder } from '../../../../../src/past/saved/list/agentFolders';
import { projectName, WorkFolders } from '../../../../../src/past/saved/list/workFolders';

const agentFolder = (...args: Parameters<typeof agentFolders>): string | undefined => agentFolders(...args)[0];

const linux = { platform: 'linux', home: '/home/me', env: {} } as const;
const windows = { platform: 'win32', home: 'C:\\Users\\me', env: {} } as const;

describe('the folders of saved sessions', () => {
  it('are in the home folder', () => {
    assert.equal(agentFolder('claude', linux), '/home/me/.claude');
    assert.equal(agentFolder('codex', windows), 'C:\\Users\\me\\.codex');
    assert.equal(agentFolder('opencode', linux), '/home/me/.local/share/opencode');
    assert.equal(agentFolder('opencode', windows), 'C:\\Users\\me\\.local\\share\\opencode');
    assert.equal(agentFolder('pi', { ...linux, platform: 'darwin' }), '/home/me/.pi/agent');
    assert.equal(agentFolder('cline', linux), '/home/me/.cline/data');
    assert.equal(agentFolder('goose', linux), '/home/me/.local/share/goose');
    const roaming = { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' };
    assert.equal(agentFolder('goose', { ...windows, env: roaming }), `${roaming.APPDATA}\\Block\\goose\\data`);
  });

  it('follow the environment variables of each agent', () => {
    for (const [agent, name, value, folder = value] of [
      ['claude', 'CLAUDE_CONFIG_DIR', '/x/claude'],
      ['codex', 'CODEX_HOME', '~/codex', '/home/me/codex'],
      ['gemini', 'GEMINI_CLI_HOME', '/x/g', '/x/g/.gemini'],
      ['qwen', 'QWEN_HOME', '/x/q'],
      ['opencode', 'XDG_DATA_HOME', '/x/data', '/x/data/opencode'],
      ['copilot', 'COPILOT_HOME', '/x/c'],
      ['pi', 'PI_CODING_AGENT_DIR', '/x/pi'],
      ['cline', 'CLINE_DIR', '/x/cline', '/x/cline/data'],
      ['kimi', 'KIMI_CODE_HOME', '/x/kimi'],
      ['droid', 'FACTORY_HOME_OVERRIDE', '/x/droid', '/x/droid/.factory'],
      ['letta', 'LETTA_LOCAL_BACKEND_DIR', '/x/letta'],
      ['continue', 'CONTINUE_GLOBAL_DIR', '/x/continue'],
    ] as const) {
      assert.equal(agentFolder(agent, { ...linux, env: { [name]: value } }), folder);
    }
  });

  it('may be several', () => {
    assert.deepEqual(agentFolders('claude', linux), ['/home/me/.claude', '/home/me/.config/claude']);
    assert.deepEqual(agentFolders('claude', { ...linux, env: { CLAUDE_CONFIG_DIR: '/x' } }), ['/x']);
    assert.deepEqual(agentFolders('codex', linux, ['~/one', '/two', 'three', '/two/']), ['/home/me/one', '/two']);
  });

  it('prefer those of the setting, unless they are relative', () => {
    const machine = { ...linux, env: { CLAUDE_CONFIG_DIR: '/x' } };
    assert.equal(agentFolder('claude', machine, '/own'), '/own');
    assert.equal(agentFolder('claude', machine, '~/own'), '/home/me/own');
    assert.equal(agentFolder('claude', machine, 'own'), '/x');
    assert.equal(agentFolder('claude', { ...machine, env: { CLAUDE_CONFIG_DIR: 'x' } }), '/home/me/.claude');
  });

  it('of VS Code are those of all its builds, and of the one that runs this', () => {
    const ofEditor = agentFolders('vscode', { ...linux, editor: '/home/me/.config/Code/User' });
    assert.equal(ofEditor[0], '/home/me/.config/Code/User');
    assert.equal(new Set(ofEditor).size, ofEditor.length);
    for (const folder of ['.config/Code - Insiders/User', '.vscode-server/data/User', '.config/Cursor/User']) {
      assert.ok(ofEditor.includes(`/home/me/${folder}`), folder);
    }
    assert.ok(agentFolders('vscode', { ...linux, env: { VSCODE_PORTABLE: '/p' } }).includes('/p/user-data/User'));
    const mac = agentFolders('vscode', { ...linux, platform: 'darwin', home: '/Users/me' });
    assert.ok(mac.includes('/Users/me/Library/Application Support/Code/User'));
    const env = { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' };
    const editor = 'c:\\Users\\me\\AppData\\Roaming\\Code\\User';
    const ofWindows = agentFolders('vscode', { ...windows, env, editor });
    assert.equal(ofWindows.filter((folder) => folder.endsWith('\\Roaming\\Code\\User')).length, 1);
    assert.deepEqual(agentFolders('vscode', linux, '~/own'), ['/home/me/own']);
  });

  it('of VS Code are found from the storage of an extension, also in a profile', () => {
    assert.equal(userFolder('/u/User/globalStorage/a.b'), '/u/User');
    assert.equal(userFolder('/u/User/profiles/-1a2b/globalStorage/a.b'), '/u/User');
  });

  it('name projects by their folders', () => {
    assert.equal(projectName('/home/me/my.project_1'), '-home-me-my-project-1');
    assert.equal(projectName('C:\\work\\a'), 'C--work-a');
  });
});

describe('the folders that sessions worked in', () => {
  it('include subfolders', () => {
    const folders = new WorkFolders(['/home/me/a', '/srv/b/'], 'linux', undefined);
    for (const path of ['/home/me/a', '/home/me/a/sub', '/srv/b', '/srv/b/c']) assert.equal(folders.has(path), true);
    for (const path of ['/home/me/ab', '/home/me/A', '/srv', undefined]) assert.equal(folders.has(path), false);
    assert.equal(new WorkFolders(['/'], 'linux', undefined).has('/x'), true);
    assert.equal(folders.mayHaveProject('-home-me-a-sub'), true);
    assert.equal(folders.mayHaveProject('-home-me-b'), false);
  });

  it('are known without their secrets, also if a pattern reaches across a slash', () => {
    for (const pattern of [/shop/, /acme\/shop/, /shop\//, /me\/shop\//, /acme\/shop$/]) {
      const redactor = redactorFor(redactionWith(pattern));
      const folders = new WorkFolders(['/home/acme/shop'], 'linux', redactor);
      for (const path of ['/home/acme/shop', '/home/acme/shop/sub']) {
        assert.equal(folders.has(redactor.line(path)), true, `${path} by ${String(pattern)}`);
      }
      assert.equal(folders.has(redactor.line('/home/acme/other')), false);
    }
    const redactor = redactorFor(redactionWith(/Shop\\/));
    const onWindows = new WorkFolders(['c:\\Shop\\'], 'win32', redactor);
    assert.equal(onWindows.has(redactor.line('C:\\Shop\\sub')), true);
  });

  it('match in any case on Windows, with any slash', () => {
    const folders = new WorkFolders(['c:\\Users\\me\\Shop', '\\\\server\\share\\a'], 'win32', undefined);
    for (const path of ['C:\\Users\\me\\shop', 'C:/Users/me/Shop/sub', '\\\\Server\\share\\a']) {
      assert.equal(folders.has(path), true, path);
    }
    assert.equal(folders.has('D:\\Users\\me\\Shop'), false);
    assert.equal(folders.mayHaveProject(projectName('C:\\Users\\me\\Shop')), true);
  });

  it('match in any case on macOS, through its symlinks', () => {
    const folders = new WorkFolders(['/tmp/Shop', '/Users/me/Café'], 'darwin', undefined);
    for (const path of ['/private/tmp/shop', '/tmp/Shop/sub', '/Users/me/Cafe\u0301']) {
      assert.equal(folders.has(path), true, path);
    }
    assert.equal(folders.has('/private/var/Shop'), false);
    assert.equal(folders.mayHaveProject(projectName('/private/tmp/Shop')), true);
    assert.equal(folders.mayHaveProject(projectName('/private/var/Shop')), false);
  });
});
