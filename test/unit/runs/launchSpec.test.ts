import assert from 'node:assert/strict';
import { agentDefinitions } from '../../../src/runs/agentDefinition';
import { splitCommandLine } from '../../../src/runs/commandLine';
import { HumanError } from '../../../src/runs/humanError';
import type { AgentDefinition, LaunchContext } from '../../../src/runs/launchSpec';
import { launchSpec } from '../../../src/runs/launchSpec';

const agent: AgentDefinition = { name: 'A', protocol: 'acp', command: 'my-agent', args: [], env: {} };
const context: LaunchContext = { workspaceFolder: '/ws', userHome: '/home/me', env: { PATH: '/bin', TOKEN: 't' } };

describe('launch spec', () => {
  it('substitutes variables everywhere', () => {
    const spec = launchSpec(
      {
        ...agent,
        command: '${userHome}/bin/agent',
        args: ['--in', '${workspaceFolder}/x', '${env:TOKEN}${env:NONE}'],
        env: { A: '${env:TOKEN}' },
        cwd: 'sub',
      },
      context,
    );
    assert.deepEqual(spec, {
      command: '/home/me/bin/agent',
      args: ['--in', '/ws/x', 't'],
      env: { PATH: '/bin', TOKEN: 't', A: 't' },
      cwd: '/ws/sub',
    });
  });

  it('starts in the workspace folder, or at home without one', () => {
    assert.equal(launchSpec(agent, context).cwd, '/ws');
    assert.equal(launchSpec(agent, { ...context, workspaceFolder: undefined }).cwd, '/home/me');
  });

  it('takes variables away, and keeps those that VS Code sets for itself to itself', () => {
    const spec = launchSpec(
      { ...agent, env: { TOKEN: null, ELECTRON_RUN_AS_NODE: '1' } },
      { ...context, env: { ...context.env, VSCODE_PID: '1', ELECTRON_X: '1', NODE_OPTIONS: '--inspect' } },
    );
    assert.deepEqual(spec.env, { PATH: '/bin', ELECTRON_RUN_AS_NODE: '1' });
  });

  it('says what is wrong with a variable', () => {
    const without = { ...context, workspaceFolder: undefined };
    assert.throws(() => launchSpec({ ...agent, args: ['${workspaceFolder}'] }, without), /no folder is open/);
    assert.throws(
      () => launchSpec({ ...agent, args: ['${file}'] }, context),
      (error) => error instanceof HumanError && /unknown variable \$\{file\}/.test(error.message),
    );
    assert.throws(() => launchSpec({ ...agent, command: '${env:NONE}' }, context), /has no command/);
  });
});

describe('agentLogs.agents', () => {
  it('takes entries of other ACP clients as they are', () => {
    const { agents, problems } = agentDefinitions({
      Gemini: { command: 'gemini', args: ['--acp'], env: {}, someField: true },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(agents, [{ name: 'Gemini', protocol: 'acp', command: 'gemini', args: ['--acp'], env: {} }]);
  });

  it('leaves out what is wrong, and says what to correct', () => {
    const { agents, problems } = agentDefinitions({
      good: { command: 'x', level: 'debug', cwd: '/y', env: { A: null } },
      text: 'x',
      noCommand: { args: [] },
      args: { command: 'x', args: 'y' },
      env: { command: 'x', env: { A: 1 } },
      cwd: { command: 'x', cwd: 1 },
      level: { command: 'x', level: 'warn' },
      protocol: { command: 'x', protocol: 'mcp' },
    });
    assert.deepEqual(
      agents.map(({ name }) => name),
      ['good'],
    );
    assert.deepEqual(
      problems.map((problem) => /\["(\w+)"\]: \S/.exec(problem)?.[1]),
      ['text', 'noCommand', 'args', 'env', 'cwd', 'level', 'protocol'],
    );
  });

  it('takes no settings for no agents, and anything else but an object for a mistake', () => {
    assert.deepEqual(agentDefinitions(undefined), { agents: [], problems: [] });
    assert.equal(agentDefinitions([]).problems.length, 1);
  });
});

describe('command line', () => {
  it('splits words as a shell does, without a shell', () => {
    assert.deepEqual(splitCommandLine('npx -y  my-agent --acp', 'linux'), ['npx', '-y', 'my-agent', '--acp']);
    assert.deepEqual(splitCommandLine(`"a b"'c d' e\\ f "" "q\\"r" $X|y`, 'linux'), [
      'a bc d',
      'e f',
      '',
      'q"r',
      '$X|y',
    ]);
    assert.deepEqual(splitCommandLine('C:\\bin\\agent.exe "C:\\a b\\"', 'win32'), ['C:\\bin\\agent.exe', 'C:\\a b\\']);
  });

  it('wants quotes to be closed', () => {
    assert.equal(splitCommandLine('a "b', 'linux'), undefined);
    assert.deepEqual(splitCommandLine('  ', 'linux'), []);
  });
});
