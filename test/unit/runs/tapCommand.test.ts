import assert from 'node:assert/strict';
import { tapCommand, tapText } from '../../../src/runs/tapCommand';
import { parseCommandLine } from '../../../src/tap/commandLine';

const context = { workspaceFolder: '/w', userHome: '/h', env: { TOKEN: "it's" } };
const agent = {
  name: 'My Agent',
  protocol: 'mcp' as const,
  command: '${workspaceFolder}/agent',
  args: ['--root', '${userHome}'],
  env: { KEY: '${env:TOKEN}', GONE: null },
};

describe('the command that puts the tap before an agent', () => {
  it('has nothing left to expand, in the form of where it is pasted', () => {
    const command = tapCommand(agent, context, '/ext/cli.js');
    assert.equal(
      tapText('shell', command),
      `KEY='it'\\''s' node /ext/cli.js tap --name 'My Agent' --protocol mcp -- /w/agent --root /h`,
    );
    assert.deepEqual(JSON.parse(tapText('zed', command)), {
      agent_servers: {
        'My Agent': {
          type: 'custom',
          command: 'node',
          args: ['/ext/cli.js', 'tap', '--name', 'My Agent', '--protocol', 'mcp', '--', '/w/agent', '--root', '/h'],
          env: { KEY: "it's" },
        },
      },
    });
  });

  it('is taken by the tap, though the name looks like an option', () => {
    const { words } = tapCommand({ ...agent, name: '-x' }, context, '/ext/cli.js');
    const command = parseCommandLine(words.slice(2));
    assert.ok(command.type === 'tap' && command.name === '-x');
  });

  it('is refused where the agent asks for something at each start', () => {
    assert.throws(
      () => tapCommand({ ...agent, args: ['${input:prompt}'] }, context, 'x'),
      /asks for \$\{input:prompt\}/,
    );
  });
});
