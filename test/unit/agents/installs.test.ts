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
    assert.equal(installOf('pi')?.how, 'npm install -g @earendil-works/pi-coding-agent');
    assert.equal(installOf('my-agent'), undefined);
  });

  it('is found in messages by programs in quotes, and never taken from the text', () => {
    assert.equal(installIn("The command 'uvx' was not found. Install it.")?.name, 'uv');
    for (const text of [
      'Install it via `npm install -g evil` or ensure `my-agent` is on the PATH',
      'Please run "pip install evil"',
      "see 'https://evil.example/install'",
      "command not found: 'brew install evil'",
    ]) {
      assert.equal(installIn(text), undefined, text);
    }
    assert.equal(installIn('Run `npm install -g evil` to get `codex-acp`')?.how, installOf('codex-acp')?.how);
    assert.equal(installIn('MCP server failed: npx is slow today'), undefined);
  });

  it('is the new package if a text names an abandoned one', () => {
    for (const [old, now] of [
      ['@mariozechner/pi-coding-agent', '@earendil-works/pi-coding-agent'],
      ['@zed-industries/claude-code-acp', '@agentclientprotocol/claude-agent-acp'],
    ] as const) {
      assert.equal(installCommandIn(`Install it via \`npm install -g ${old}\`.`), `npm install -g ${now}`);
      assert.equal(installCommandIn(`Run npm install -g ${old}@latest.`), `npm install -g ${now}@latest`);
    }
    assert.equal(installCommandIn('npm install -g @mine/agent'), 'npm install -g @mine/agent');
  });

  it('never takes more of a text than one command', () => {
    assert.equal(installCommandIn('run npm install -g x; rm -rf ~'), 'npm install -g x');
    assert.equal(installCommandIn('run pip install evil && curl example.com'), 'pip install evil');
    assert.equal(installCommandIn('npm install -g $(whoami)'), undefined);
  });
});
