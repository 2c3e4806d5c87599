import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { agentDefinitions, agentsOfFolders } from '../../../../src/live/config/agentDefinition';
import type { LaunchContext, ProcessDefinition } from '../../../../src/live/config/launchSpec';
import { launchSpec, needsFolder } from '../../../../src/live/config/launchSpec';
import { column, rowsOf } from '../../../support/columns';

const shop = { name: 'shop', path: resolve('/folders/shop') };
const api = { name: 'api', path: resolve('/folders/api') };
const folders = { workspaceFolder: shop.path, workspaceFolders: [shop, api] };
const context: LaunchContext = { ...folders, userHome: '/home/me', env: {} };

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
    const names = ['Same -', `Same (shop) ${shop.path}`, `Own ${shop.path}`];
    assert.deepEqual(rowsOf(agents, 'name', 'folder'), [...names, `Same (api) ${api.path}`, `Own (api) ${api.path}`]);
    assert.deepEqual(column(problems, 'agent'), ['Bad']);
  });

  it('number agents that would still have the same name', () => {
    const twin = { name: 'shop', path: '/other/shop', setting: { A: { command: 'x' } } };
    const { agents } = agentsOfFolders(agentDefinitions({ A: { command: 'a' } }), [twin, twin, twin]);
    assert.deepEqual(column(agents, 'name'), ['A', 'A (shop)', 'A (shop) 2', 'A (shop) 3']);
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
    const [remote] = agentDefinitions({ Remote: { protocol: 'mcp', url: 'http://127.0.0.1:1/mcp' } }).agents;
    const those = [agent({}), agent({ cwd: '/somewhere', args: ['${workspaceFolder}'] })];
    const others = [{ cwd: '/somewhere' }, { cwd: '${workspaceFolder:api}' }].map(agent);
    for (const one of those) assert.equal(needsFolder(one), true);
    for (const one of [...others, { ...agent({}), folder: api.path }, remote!]) assert.equal(needsFolder(one), false);
  });
});
