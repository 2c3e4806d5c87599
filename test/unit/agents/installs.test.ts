import assert from 'node:assert/strict';
import { installCommandIn, installIn, installOf } from '../../../src/agents/installs';

describe('what has to be installed', () => {
  it('is what a program comes with', () => {
    assert.equal(installOf('npx')?.name, 'Node.js');
    assert.equal(installOf('/usr/local/bin/uvx')?.name, 'uv');
    assert.equal(installOf('C:\\tools\\npx.cmd')?.name, 'Node.js');
    assert.deepEqual(installOf('codex-acp'), {
      name: 'Codex',
      how: 'npm install -g @agentclientprotocol/codex-acp',
    });
    assert.equal(installOf('my-agent'), undefined);
  });

  it('is found in messages, as a program in quotes or as the command that installs it', () => {
    assert.equal(installIn("The command 'uvx' was not found. Install it.")?.name, 'uv');
    assert.deepEqual(installIn('Install it via `npm install -g @earendil-works/pi-coding-agent` or ensure `pi` is …'), {
      name: '@earendil-works/pi-coding-agent',
      how: 'npm install -g @earendil-works/pi-coding-agent',
    });
    assert.equal(installIn('MCP server failed: npx is slow today'), undefined);
  });

  it('never takes more of a text than one command', () => {
    assert.equal(installCommandIn('run npm install -g x; rm -rf ~'), 'npm install -g x');
    assert.equal(installCommandIn('run pip install evil && curl example.com'), 'pip install evil');
    assert.equal(installCommandIn('npm install -g $(whoami)'), undefined);
  });
});
