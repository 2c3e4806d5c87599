import assert from 'node:assert/strict';
import { tapCommand, tapText } from '../../../../src/live/config/tapCommand';
import { parseCommandLine } from '../../../../src/cli/commandLine';

const context = { workspaceFolder: '/w', userHome: '/h', env: { TOKEN: "it's" } };
const agent = {
  name: 'My Agent',
  protocol: 'mcp' as const,
  command: '${workspaceFolder}/agent',
  args: ['--root', '${userHome}'],
  env: { KEY: '${env:TOKEN}', GONE: null },
};

describe('the tap command', () => {
  it('needs no more expansion, and is quoted for where it is pasted', () => {
    const command = tapCommand(agent, context, '/ext/cli.js');
    const shell = `KEY='it'\\''s' node /ext/cli.js tap --name 'My Agent' --protocol mcp -- /w/agent --root /h`;
    assert.equal(tapText('shell', command), shell);
    const args = ['/ext/cli.js', 'tap', '--name', 'My Agent', '--protocol', 'mcp', '--', '/w/agent', '--root', '/h'];
    const server = { type: 'custom', command: 'node', args, env: { KEY: "it's" } };
    assert.deepEqual(JSON.parse(tapText('zed', command)), { agent_servers: { 'My Agent': server } });
  });

  it('is accepted by the tap even if the name looks like an option', () => {
    const { words } = tapCommand({ ...agent, name: '-x' }, context, '/ext/cli.js');
    const command = parseCommandLine(words.slice(2));
    assert.ok(command.type === 'tap' && command.name === '-x');
  });

  it('passes the names of variables to redact, never their values', () => {
    const env = { ACME: '${env:ACME_LICENCE}', MODE: 'debug', GONE: null };
    const given = { ...context, env: { ACME_LICENCE: 'q7Zk2vGqT7w99xQ' } };
    const { words, env: values } = tapCommand({ ...agent, env }, given, '/ext/cli.js');
    assert.deepEqual(words.slice(words.indexOf('--secret-env'), words.indexOf('--')), ['--secret-env', 'ACME']);
    assert.deepEqual(values, { ACME: 'q7Zk2vGqT7w99xQ', MODE: 'debug' });
    assert.ok(!words.join(' ').includes('q7Zk2'));
    const command = parseCommandLine(words.slice(2));
    assert.deepEqual(command.type === 'tap' && command.secretEnv, ['ACME']);
  });

  it('names its secrets', () => {
    const secret = 'q7Zk2vGqT7w99xQ';
    const secretsOf = (args: readonly string[], env: Readonly<Record<string, string>>): readonly string[] =>
      tapCommand({ ...agent, args, env }, { ...context, env: { MY_TOKEN: secret, LANG: 'C' } }, 'x').secrets;
    assert.deepEqual(secretsOf(['--lang', '${env:LANG}'], { MODE: 'debug' }), []);
    assert.deepEqual(secretsOf([], { API_KEY: secret, A: '${env:MY_TOKEN}' }), ['API_KEY', 'MY_TOKEN']);
    assert.deepEqual(secretsOf(['--api-key', secret, `--token=${secret}`, 'x'], {}), ['--api-key', '--token']);
  });

  it('is refused if the agent asks for input at each start', () => {
    const asking = { ...agent, args: ['${input:prompt}'] };
    assert.throws(() => tapCommand(asking, context, 'x'), /asks for \$\{input:prompt\}/);
  });
});
