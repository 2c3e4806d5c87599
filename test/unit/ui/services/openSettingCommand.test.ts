import { env, workspace } from '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { openAgentCommand, openSettingCommand } from '../../../../src/ui/services/settings/openSettingCommand';

describe('the command that opens a setting', () => {
  beforeEach(() => workspace.settings.clear());
  afterEach(() => {
    workspace.settings.clear();
    env.remoteName = undefined;
  });

  for (const [name, remoteName, value, command] of [
    ['prices', undefined, undefined, 'openSettings'],
    ['prices', undefined, {}, 'openSettingsJson'],
    // Only the remote settings list what is set per machine.
    ['prices', 'wsl', undefined, 'openRemoteSettings'],
    ['prices', 'wsl', {}, 'openRemoteSettingsFile'],
    ['agents', 'wsl', undefined, 'openRemoteSettings'],
    ['alerts', 'wsl', undefined, 'openSettings'],
    ['alerts', 'wsl', [], 'openSettingsJson'],
  ] as const) {
    it(`is ${command} for ${name}${value ? ', which is set' : ''}${remoteName === undefined ? '' : ' in a remote window'}`, () => {
      env.remoteName = remoteName;
      if (value) workspace.settings.set(name, value);
      const key = `agentLogs.${name}`;
      assert.deepEqual(openSettingCommand(name), {
        command: `workbench.action.${command}`,
        arguments: [value ? { revealSetting: { key } } : { query: key }],
      });
    });
  }

  it('opens the whole setting for an agent that no file has', () => {
    assert.deepEqual(openAgentCommand('A').arguments, [{ query: 'agentLogs.agents' }]);
    workspace.settings.set('agents', { A: { command: 'a' } });
    for (const agent of ['A', 'B', undefined]) {
      assert.equal(openAgentCommand(agent).command, 'workbench.action.openSettingsJson');
    }
  });
});
