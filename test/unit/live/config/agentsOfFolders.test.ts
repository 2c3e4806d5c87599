import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { agentDefinitions, agentsOfFolders } from '../../../../src/live/config/agentDefinition';
import type { LaunchContext, ProcessDefinition } from '../../../../src/live/config/launchSpec';
import { launchSpec, needsFolder } from '../../../../src/live/config/launchSpec';

const shop = { name: 'shop', path: resolve('/folders/shop') };
const api = { name: 'api', path: resolve('/folders/api') };
const context: LaunchContext = {
  workspaceFolder: shop.path,
  workspaceFolders: [shop, api],
  userHome: '/home/me',
  env: {},
};

function agent(fields: object): ProcessDefinition {
  const [one] = agentDefinitions({ Agent: { command: 'agent', ...fields } }).agents;
  assert.ok(one && 'command' in one);
  return one;
}

describe('multi-root workspaces', () => {
  it('have the agents of all folders, then those of each folder, with unique names', () => {
    const { agents, problems } = agentsOfFolders(agentDefinitions({ Same: { command: 'a' } }), [
      { ...shop, setting: { Same: { command: 'b' }, Own: { command: 'c' } } },
      { ...api, setting: { Same: { command: 'd' }, Own: { command: 'e' }, Bad: {} } },
      { name: 'bare', path: '/folders/bare', setting: undefined },
    ]);
    assert.deepEqual(
      agents.map(({ name, folder }) => [name, folder]),
      [
        ['Same', undefined],
        ['Same (shop)', shop.path],
        ['Own', shop.path],
        ['Same (api)', api.path],
        ['Own (api)', api.path],
      ],
    );
    assert.deepEqual(
      problems.map((problem) => problem.agent),
      ['Bad'],
    );
  });

  it('number agents that would still have the same name', () => {
    const twin = { name: 'shop', path: '/other/shop', setting: { A: { command: 'x' } } };
    const { agents } = agentsOfFolders(agentDefinitions({ A: { command: 'a' } }), [twin, twin, twin]);
    assert.deepEqual(
      agents.map(({ name }) => name),
      ['A', 'A (shop)', 'A (shop) 2', 'A (shop) 3'],
    );
  });

  it('are named by their folders in settings variables', () => {
    const spec = launchSpec(agent({ args: ['${workspaceFolder}', '${workspaceFolder:api}/x'] }), context);
    assert.deepEqual(spec.args, [shop.path, `${api.path}/x`]);
    assert.equal(launchSpec(agent({ cwd: '${workspaceFolder:api}' }), context).cwd, api.path);
    assert.throws(
      () => launchSpec(agent({ cwd: '${workspaceFolder:nowhere}' }), context),
      /the workspace folder 'nowhere', which isn't open\. Open folders: 'shop', 'api'\./,
    );
  });

  it('matter to an agent without a working directory or folder', () => {
    assert.equal(needsFolder(agent({})), true);
    assert.equal(needsFolder(agent({ cwd: '/somewhere' })), false);
    assert.equal(needsFolder(agent({ cwd: '${workspaceFolder:api}' })), false);
    assert.equal(needsFolder(agent({ cwd: '/somewhere', args: ['${workspaceFolder}'] })), true);
    assert.equal(needsFolder({ ...agent({}), folder: api.path }), false);
    const [remote] = agentDefinitions({ Remote: { protocol: 'mcp', url: 'http://127.0.0.1:1/mcp' } }).agents;
    assert.equal(remote && needsFolder(remote), false);
  });
});
