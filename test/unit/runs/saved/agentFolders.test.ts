import assert from 'node:assert/strict';
import { agentFolder, projectName } from '../../../../src/runs/saved/agentFolders';

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
  });

  it('are those that the variables of an agent name', () => {
    const env = {
      CLAUDE_CONFIG_DIR: '/x/claude',
      CODEX_HOME: '~/codex',
      GEMINI_CLI_HOME: '/x/g',
      QWEN_HOME: '/x/q',
      XDG_DATA_HOME: '/x/data',
      COPILOT_HOME: '/x/c',
      PI_CODING_AGENT_DIR: '/x/pi',
      CLINE_DIR: '/x/cline',
    };
    const folders = (['claude', 'codex', 'gemini', 'qwen', 'opencode', 'copilot', 'pi', 'cline'] as const).map(
      (agent) => agentFolder(agent, { ...linux, env }),
    );
    assert.deepEqual(folders, [
      '/x/claude',
      '/home/me/codex',
      '/x/g/.gemini',
      '/x/q',
      '/x/data/opencode',
      '/x/c',
      '/x/pi',
      '/x/cline/data',
    ]);
  });

  it('are those of the setting before all, unless they are relative', () => {
    const machine = { ...linux, env: { CLAUDE_CONFIG_DIR: '/x' } };
    assert.equal(agentFolder('claude', machine, '/own'), '/own');
    assert.equal(agentFolder('claude', machine, '~/own'), '/home/me/own');
    assert.equal(agentFolder('claude', machine, 'own'), '/x');
    assert.equal(agentFolder('claude', { ...machine, env: { CLAUDE_CONFIG_DIR: 'x' } }), '/home/me/.claude');
  });

  it('name projects by their folders', () => {
    assert.equal(projectName('/home/me/my.project_1'), '-home-me-my-project-1');
    assert.equal(projectName('C:\\work\\a'), 'C--work-a');
  });
});
